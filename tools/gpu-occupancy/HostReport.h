//===- HostReport.h - Kernels and what is beside them -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_HOSTREPORT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_HOSTREPORT_H

#include "gpuocc/Report/Report.h"
#include "sources/HostProgram.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuocc {

/// A part of the time of a program.
struct HostTime {
  std::string What;
  uint64_t Times = 0, Bytes = 0;
  Known<double> Ns = Known<double>::unknown("not asked for");
  /// "10.2 GB/s", "7.87 us each".
  std::string Basis;
};

/// What a run takes beside its kernels: copies at the measured rates of
/// \p Device and what each call of one costs, launches and the gaps between
/// them.
///
/// Source: Thoman et al. 2011, "Automatic OpenCL Device Characterization:
/// Guiding Optimized Kernel Design" (uCLbench): transfers and run-time
/// overheads.
std::vector<HostTime> hostTimes(const HostActivity &Activity,
                                const DeviceModel &Device);

/// What one copy of \p Bytes takes, by the same rates.
Known<double> copyNs(HostCounter Copy, uint64_t Bytes,
                     const DeviceModel &Device);

/// The sum over the launches of \p Record, as often as they happened, of the
/// times in \p Predicted; of launches that differ in arguments only, their
/// mean. Unknown where the time of one is.
HostTime kernelTime(const HostRecord &Record, const Report &Predicted);

/// The time of a program by its parts.
struct HostReport {
  std::string Device;
  HostTime Kernels;
  std::vector<HostTime> Others;
  /// Of the kernels once, where the driver has to compile them from PTX.
  Known<double> CompileNs = Known<double>::unknown("not asked for");

  /// The part that takes most of what is known.
  const HostTime &largest() const;
  /// Of the kernels in all that is known; unknown where their time is.
  Known<double> kernelFraction() const;
};

/// \p Value as a number of JSON.
llvm::json::Value numberOrNull(const Known<double> &Value);

/// A table, what is most of it, and the time of compiling.
void writeHostText(const HostReport &R, llvm::raw_ostream &OS);

/// An object with `device`, `parts` (`what`, `times`, `bytes`, `ns` or null,
/// `basis` or `reason`), `largest`, `kernel_fraction` and `compile_ns`.
void writeHostJSON(const HostReport &R, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_HOSTREPORT_H
