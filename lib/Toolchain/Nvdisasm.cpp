//===- Nvdisasm.cpp - Machine code as text --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Nvdisasm.h"
#include "gpuocc/Toolchain/Process.h"

using namespace gpuocc;
using namespace llvm;

Expected<std::string> gpuocc::runNvdisasm(StringRef Program, StringRef Cubin,
                                          DisassembledPlaces Places) {
  const StringRef Lines =
      Places == DisassembledPlaces::LinesAndCalls ? "-gi" : "-g";
  // Its JSON form has neither encodings nor lines. The analysis of branches
  // that is switched off is only for comments.
  ProcessOptions Options;
  Options.IsContained = false;
  Expected<ProcessResult> Run =
      runProcess(Program, {"-c", Lines, "-hex", "-ndf", Cubin}, Options);
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return createStringError(
        "'" + Program + "' failed: " +
        StringRef(Run->ErrorOutput + Run->Output).split('\n').first.trim());
  return std::move(Run->Output);
}
