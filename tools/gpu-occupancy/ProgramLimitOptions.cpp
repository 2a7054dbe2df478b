//===- ProgramLimitOptions.cpp - Options for what a program may use -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramLimitOptions.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Toolchain/Sandbox.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

std::vector<OptionRow> ProgramLimitOptions::rows(HostRun &Run) {
  return {
      {"--folder", "DIR",
       "where the program runs, and may write (default: here, and may not)",
       store(Run.Folder)},
      {"--writable", "PATH",
       "file or folder that the program may write too; may be repeated",
       append(Run.Writable)},
      {"--sandbox", "auto|bubblewrap|none",
       "runs the program without network, and with files that it may only read "
       "(auto: where standard input is no terminal and bwrap is found)",
       storeWord(Sandbox, {"auto", "bubblewrap", "none"}), "bubblewrap"},
      {"--timeout", "SECONDS",
       "the program is ended after that (default: 60; 0: never)",
       storeNumber(Run.Limits.Seconds)},
      {"--memory-limit", "MIB",
       "of the program and what it starts, together (default: half of this "
       "machine's; 0: any)",
       storeNumber(MemoryMiB)},
      {"--file-limit", "MIB",
       "of each file that the program writes (default: 1024; 0: any)",
       storeNumber(FileMiB)},
      {"--process-limit", "N",
       "of the program and what it starts (default: 64; 0: any)",
       storeNumber(Run.Limits.Processes)},
  };
}

Error ProgramLimitOptions::chooseSandbox(HostRun &Run) const {
  const bool IsAsked = Sandbox == "bubblewrap";
  if (Sandbox == "none" ||
      (!IsAsked && (sys::Process::StandardInIsUserInput() ||
                    !sys::findProgramByName("bwrap"))))
    return Error::success();
  Expected<std::string> Found = findBubblewrap();
  if (Found) {
    Run.Bubblewrap = std::move(*Found);
    return Error::success();
  }
  if (IsAsked)
    return createStringError("--sandbox: " + toString(Found.takeError()));
  errs() << "note: the program runs without a sandbox: "
         << printable(toString(Found.takeError())) << '\n';
  return Error::success();
}

Error ProgramLimitOptions::apply(HostRun &Run) const {
  Run.Limits.MemoryBytes = uint64_t(MemoryMiB) << 20;
  Run.Limits.FileBytes = uint64_t(FileMiB) << 20;
  if (!Run.Folder.empty() && !sys::fs::is_directory(Run.Folder))
    return createStringError("there is no folder '" + Run.Folder + "'");
  for (const std::string &Path : Run.Writable)
    if (!sys::fs::exists(Path))
      return createStringError("there is no file or folder '" + Path +
                               "' to write (--writable)");
  return chooseSandbox(Run);
}
