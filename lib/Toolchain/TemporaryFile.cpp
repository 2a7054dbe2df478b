//===- TemporaryFile.cpp - Files that go away -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remains.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

Expected<TemporaryFile> TemporaryFile::create(StringRef Prefix,
                                              StringRef Suffix) {
  const std::string Parent = temporaryRoot(), Ending = "." + Suffix.str();
  std::string Path = Parent + "/" + Prefix.str() + "-XXXXXX" + Ending;
  std::error_code EC;
  Remains::get().whole([&] {
    const int Descriptor =
        mkostemps(Path.data(), int(Ending.size()), O_CLOEXEC);
    if (Descriptor < 0) {
      EC = errnoAsErrorCode();
      return;
    }
    close(Descriptor);
    sys::RemoveFileOnSignal(Path);
  });
  if (EC)
    return createStringError(EC, "cannot create a temporary file in '" +
                                     Parent + "': " + EC.message());
  TemporaryFile File;
  File.Path = Path;
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
