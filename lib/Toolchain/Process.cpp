//===- Process.cpp - Running other programs -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

Expected<TemporaryFile> TemporaryFile::create(StringRef Prefix,
                                              StringRef Suffix) {
  TemporaryFile File;
  if (std::error_code EC =
          sys::fs::createTemporaryFile(Prefix, Suffix, File.Path))
    return createStringError(EC, "cannot create a temporary file: %s",
                             EC.message().c_str());
  return std::move(File);
}

TemporaryFile::TemporaryFile(TemporaryFile &&Other) : Path(Other.Path) {
  Other.Path.clear();
}

TemporaryFile::~TemporaryFile() {
  if (!Path.empty())
    sys::fs::remove(Path);
}

Error TemporaryFile::write(StringRef Text) const {
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << Text;
    return Error::success();
  });
}

Expected<std::string> TemporaryFile::read() const {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  return (*Buffer)->getBuffer().str();
}

Expected<TemporaryFolder> TemporaryFolder::create(StringRef Prefix) {
  TemporaryFolder Folder;
  if (std::error_code EC = sys::fs::createUniqueDirectory(Prefix, Folder.Path))
    return createStringError(EC, "cannot create a temporary folder: %s",
                             EC.message().c_str());
  return std::move(Folder);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&Other)
    : Path(std::move(Other.Path)) {
  Other.Path.clear();
}

TemporaryFolder::~TemporaryFolder() {
  if (!Path.empty())
    (void)sys::fs::remove_directories(Path);
}

/// The variables of this process, and behind them \p More.
static SmallVector<StringRef, 64> environmentWith(ArrayRef<std::string> More) {
  SmallVector<StringRef, 64> All;
  for (char **Variable = environ; *Variable; ++Variable)
    All.push_back(*Variable);
  All.append(More.begin(), More.end());
  return All;
}

Expected<ProcessResult> gpuocc::runProcess(StringRef Program,
                                           ArrayRef<StringRef> Arguments,
                                           const ProcessOptions &Options) {
  Expected<TemporaryFile> Output = TemporaryFile::create("gpuocc", "out");
  if (!Output)
    return Output.takeError();
  Expected<TemporaryFile> Errors = TemporaryFile::create("gpuocc", "err");
  if (!Errors)
    return Errors.takeError();
  SmallVector<StringRef, 16> Argv = {Program};
  Argv.append(Arguments.begin(), Arguments.end());
  std::optional<StringRef> Redirects[] = {StringRef(""), Output->path(),
                                          Errors->path()};
  std::string Why;
  bool Failed = false;
  ProcessResult Result;
  const SmallVector<StringRef, 64> Variables =
      environmentWith(Options.Environment);
  Result.Status = sys::ExecuteAndWait(
      Program, Argv, ArrayRef<StringRef>(Variables), Redirects,
      Options.LimitSeconds, /*MemoryLimit=*/0, &Why, &Failed);
  if (Failed)
    return createStringError("cannot run '" + Program + "': " + Why);
  for (auto [File, Text] : {std::pair(&*Output, &Result.Output),
                            std::pair(&*Errors, &Result.ErrorOutput)}) {
    Expected<std::string> Said = File->read();
    if (!Said)
      return Said.takeError();
    *Text = std::move(*Said);
  }
  return Result;
}
