//===- Dispatch.cpp - Programs made of commands ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Dispatch.h"
#include "driver/Session.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static void printUsage(StringRef Program, ArrayRef<Command> Commands,
                       raw_ostream &OS) {
  OS << "usage: " << Program << " COMMAND [arguments]\n\ncommands:\n";
  for (const Command &C : Commands)
    OS << "  " << left_justify(C.Name, 14) << C.Summary << '\n';
  OS << "\n'" << Program
     << " COMMAND --help' prints the options of a command; '" << Program
     << " --version' the version.\n";
}

Expected<ExitStatus> gpuocc::dispatch(StringRef Program,
                                      ArrayRef<Command> Commands,
                                      ArrayRef<StringRef> Arguments) {
  if (Arguments.empty())
    return createStringError("no command given; see '" + Program + " --help'");
  StringRef Name = Arguments.consume_front();
  if (Name == "--help" || Name == "-h" || Name == "help") {
    printUsage(Program, Commands, outs());
    return StatusGood;
  }
  if (Name == "--version") {
    outs() << toolVersion() << '\n';
    return StatusGood;
  }
  SmallVector<StringRef, 8> Names;
  for (const Command &C : Commands) {
    if (C.Name == Name)
      return C.Run(Arguments);
    Names.push_back(C.Name);
  }
  return createStringError("unknown command '" + Name + "'" +
                           didYouMean(Name, Names));
}
