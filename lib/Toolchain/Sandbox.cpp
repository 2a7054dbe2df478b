//===- Sandbox.cpp - A program alone with its files -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Sandbox.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <csignal>

using namespace gpuocc;
using namespace llvm;

std::vector<std::string> gpuocc::sandboxWords(StringRef Bubblewrap,
                                              ArrayRef<std::string> Writable) {
  // Processes keep their numbers: the guard counts and ends them.
  std::vector<std::string> Words = {Bubblewrap.str(),
                                    "--unshare-net",
                                    "--unshare-ipc",
                                    "--die-with-parent",
                                    "--new-session",
                                    "--cap-drop",
                                    "ALL",
                                    "--ro-bind",
                                    "/",
                                    "/",
                                    "--dev",
                                    "/dev"};
  for (const std::string &Place : Writable) {
    SmallString<128> Real;
    if (sys::fs::real_path(Place, Real))
      Real = Place;
    Words.insert(Words.end(), {"--bind", Real.str().str(), Real.str().str()});
  }
  Words.push_back("--");
  return Words;
}

Expected<std::string> gpuocc::findBubblewrap() {
  ErrorOr<std::string> Found = sys::findProgramByName("bwrap");
  if (!Found)
    return createStringError("bubblewrap (bwrap) is not found in PATH");
  ErrorOr<std::string> Nothing = sys::findProgramByName("true");
  if (!Nothing)
    return *Found;
  std::vector<std::string> Words = sandboxWords(*Found, {});
  Words.push_back(*Nothing);
  SmallVector<StringRef, 16> Arguments(Words.begin() + 1, Words.end());
  Expected<ProcessResult> Run = runProcess(*Found, Arguments);
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return createStringError(
        "bubblewrap cannot make a sandbox here: " +
        StringRef(Run->ErrorOutput).trim().split('\n').first);
  return *Found;
}

int gpuocc::signalOfSandbox(int Status) {
  constexpr int Base = 128;
  return Status > Base && Status < Base + NSIG ? Status - Base : 0;
}
