//===- WriteMeasured.cpp - Predicted beside measured ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteMeasured.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static void writeRow(const MeasuredKernel &M, raw_ostream &OS) {
  const KernelSummary &K = *M.Predicted;
  const double Measured = *M.Measured.TimeNs;
  std::string Name = printable(baseName(K.Demangled));
  if (M.NumLaunches > 1)
    Name += " (" + std::to_string(M.NumLaunches) + ")";
  OS << left_justify(Name, 28) << ' ' << left_justify(M.Measured.Extents, 20)
     << right_justify(K.TimeNs ? formatTime(*K.TimeNs) : "?", 10)
     << right_justify(formatTime(Measured), 10)
     << right_justify(
            K.TimeNs ? formatv("{0:f2}x", *K.TimeNs / Measured).str() : "?", 8)
     << "  " << left_justify(K.Limiter, 10);
  if (!M.Measured.Busiest.empty())
    OS << M.Measured.Busiest << ' '
       << formatPercent(M.Measured.BusiestPercent / 100);
  OS << '\n';
}

void gpuocc::writeMeasured(ArrayRef<MeasuredKernel> Kernels, raw_ostream &OS) {
  OS << "kernel (launches)            grid x block         predicted  measured"
        "   ratio  bound by  busiest\n";
  double SumOfLogs = 0;
  unsigned NumTimes = 0;
  for (const MeasuredKernel &M : Kernels) {
    writeRow(M, OS);
    if (!M.Predicted->TimeNs)
      continue;
    SumOfLogs += std::abs(std::log(*M.Predicted->TimeNs / *M.Measured.TimeNs));
    ++NumTimes;
  }
  if (NumTimes != 0)
    OS << formatCount(NumTimes, "time") << " off by "
       << formatv("{0:f2}x", std::exp(SumOfLogs / NumTimes))
       << " in the geometric mean\n";
}
