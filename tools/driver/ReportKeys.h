//===- ReportKeys.h - What a report was made of -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_REPORTKEYS_H
#define GPUOCC_TOOLS_DRIVER_REPORTKEYS_H

#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Support/Mechanism.h"

namespace gpuocc {

struct DeviceModel;

/// Names reports by what they are made of. Two reports of this version of the
/// program that have the same key are equal.
class ReportKeys {
public:
  /// Keys of reports that are made with these.
  ReportKeys(const DeviceModel &Device, const Mechanisms &Used,
             const AssessOptions &Options);

  /// The key of the report of \p Facts, with its machine code \p Code or null,
  /// under \p L. \p Silenced says what its sources silence.
  std::string of(const KernelFacts &Facts, const KernelFacts *Code,
                 const Launch &L, llvm::StringRef Silenced) const;

private:
  std::string Common;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_REPORTKEYS_H
