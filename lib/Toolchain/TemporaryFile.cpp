//===- TemporaryFile.cpp - Files that go away -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"

using namespace gpuocc;
using namespace llvm;

Expected<TemporaryFile> TemporaryFile::create(StringRef Prefix,
                                              StringRef Suffix) {
  TemporaryFile File;
  if (std::error_code EC =
          sys::fs::createTemporaryFile(Prefix, Suffix, File.Path))
    return createStringError(EC, "cannot create a temporary file: %s",
                             EC.message().c_str());
  sys::RemoveFileOnSignal(File.Path);
  return std::move(File);
}

TemporaryFile::TemporaryFile(TemporaryFile &&Other) : Path(Other.Path) {
  Other.Path.clear();
}

TemporaryFile::~TemporaryFile() {
  if (Path.empty())
    return;
  sys::fs::remove(Path);
  sys::DontRemoveFileOnSignal(Path);
}

Error TemporaryFile::write(StringRef Text) const {
  return writeOutput(Path, Text);
}

Expected<std::string> TemporaryFile::read() const {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  return (*Buffer)->getBuffer().str();
}
