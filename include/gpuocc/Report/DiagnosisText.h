//===- DiagnosisText.h - Diagnoses in words ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_DIAGNOSISTEXT_H
#define GPUOCC_REPORT_DIAGNOSISTEXT_H

#include "gpuocc/Model/Prediction.h"
#include <string>

namespace gpuocc {

/// "DRAM bandwidth", "shared memory", "latency": a resource inside a sentence.
llvm::StringRef unitText(Resource R);

/// The reason for the diagnosis of \p P as a clause: "shared memory is at 82 %
/// of its peak over the launch". Says so where no launch is known.
std::string whyText(const Prediction &P);

} // namespace gpuocc

#endif // GPUOCC_REPORT_DIAGNOSISTEXT_H
