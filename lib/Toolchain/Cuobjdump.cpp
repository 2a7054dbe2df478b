//===- Cuobjdump.cpp - PTX in objects and programs ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Cuobjdump.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

std::vector<std::string> gpuocc::parsePtxDump(StringRef Text) {
  // Before each file stands what is known of it, and before those of a member
  // of an archive its name.
  auto IsHeading = [](StringRef Line) {
    return Line.starts_with("Fatbin ") || Line.starts_with("member ");
  };
  std::vector<std::string> Files;
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  bool InPtx = false;
  for (StringRef Line : Lines) {
    if (IsHeading(Line)) {
      InPtx = false;
    } else if (!InPtx && Line.starts_with(".version")) {
      InPtx = true;
      Files.emplace_back();
    }
    if (InPtx)
      Files.back() += (Line + "\n").str();
  }
  return Files;
}

Expected<std::vector<std::string>> gpuocc::ptxInBinary(StringRef Program,
                                                       StringRef Binary) {
  Expected<ProcessResult> Run = runProcess(Program, {"-ptx", Binary});
  if (!Run)
    return Run.takeError();
  std::vector<std::string> Files = parsePtxDump(Run->Output);
  const StringRef Said = StringRef(Run->ErrorOutput).trim();
  // A file without device code is an error of its own to some releases.
  if (Run->Status != 0 && Files.empty() &&
      !Said.contains("does not contain device code"))
    return createStringError(
        "'" + Program + "' failed: " +
        (Said.empty() ? howItEnded(*Run, 0) : Said.split('\n').first.str()));
  return Files;
}

Expected<std::vector<std::string>>
gpuocc::extractMachineCode(StringRef Program, StringRef Binary,
                           StringRef Folder) {
  // It writes to the folder where it runs, which is no option of its own.
  ProcessOptions Options;
  Options.Folder = Folder.str();
  const std::string Path = absolutePath(Binary);
  Expected<ProcessResult> Run =
      runProcess(Program, {"-xelf", "all", Path}, Options);
  if (!Run)
    return Run.takeError();
  return filesBelow(Folder, ".cubin");
}
