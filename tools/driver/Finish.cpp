//===- Finish.cpp - The end of a command ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Finish.h"
#include "driver/CompilerMessages.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace gpuocc;
using namespace llvm;

void gpuocc::expectFullDisks() {
  // By default RLIMIT_FSIZE ends the process.
  std::signal(SIGXFSZ, SIG_IGN);
}

char CompilerMessages::ID = 0;

void CompilerMessages::log(raw_ostream &OS) const { OS << Why; }

void gpuocc::printError(StringRef Program, Error E) {
  outs().flush();
  visitErrors(E, [](const ErrorInfoBase &Part) {
    if (Part.isA<CompilerMessages>())
      errs() << printableLines(
          static_cast<const CompilerMessages &>(Part).messages());
  });
  errs() << Program << ": error: " << printableLines(toString(std::move(E)))
         << '\n';
}

int gpuocc::finish(StringRef Program, Expected<ExitStatus> Result) {
  outs().flush();
  const std::error_code EC = outs().error();
  outs().clear_error();
  ExitStatus Status = StatusFailed;
  if (Result)
    Status = *Result;
  else
    printError(Program, Result.takeError());
  if (!EC)
    return Status;
  // The reader has seen enough, as `head` has.
  if (EC == std::errc::broken_pipe)
    return StatusFailed;
  printError(Program,
             createStringError(EC, "cannot write to standard output: " +
                                       EC.message()));
  return StatusFailed;
}
