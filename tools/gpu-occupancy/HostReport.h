//===- HostReport.h - Kernels and what is beside them -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_HOSTREPORT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_HOSTREPORT_H

#include "HostProgram.h"
#include "gpuocc/Report/Report.h"
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
/// \p Device, launches and the gaps between them.
///
/// Source: Thoman et al. 2011, "Automatic OpenCL Device Characterization:
/// Guiding Optimized Kernel Design" (uCLbench): transfers and run-time
/// overheads.
std::vector<HostTime> hostTimes(const HostActivity &Activity,
                                const DeviceModel &Device);

/// The sum over the launches of \p Record, as often as they happened, of the
/// times in \p Predicted; of launches that differ in arguments only, their
/// mean. Unknown where the time of one is.
HostTime kernelTime(const HostRecord &Record, const Report &Predicted);

/// Writes \p Kernels and \p Others as a table, which of them is largest, and
/// the time of compiling \p Instructions once where the driver has to.
void writeHostReport(const HostTime &Kernels, llvm::ArrayRef<HostTime> Others,
                     size_t Instructions, const DeviceModel &Device,
                     llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_HOSTREPORT_H
