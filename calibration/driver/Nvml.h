//===- Nvml.h - What else happens on the GPU -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of the NVIDIA Management Library that calibration calls, in a
/// table that is filled from libnvidia-ml.so.1 at run time where there is one,
/// and what they tell of the circumstances of a run: slices, power limits,
/// other processes, lowered clocks.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_DRIVER_NVML_H
#define GPUOCC_CALIBRATION_DRIVER_NVML_H

#include "Driver.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc::calibration {

using NvmlResult = int; ///< 0 is success.
using NvmlDevice = struct NvmlDeviceTag *;

/// nvmlProcessInfo_t of the third version.
struct NvmlProcess {
  unsigned Pid = 0;
  unsigned long long UsedBytes = 0;
  unsigned GpuInstance = 0, ComputeInstance = 0;
};
static_assert(sizeof(NvmlProcess) == 24);

/// The library's functions. Members that it lacks are null; Init, Shutdown and
/// HandleByPciBusId never are in a usable table.
struct Nvml {
#define NVML_FUNCTION(Member, Symbol, Parameters)                              \
  NvmlResult(*Member) Parameters = nullptr;
#include "NvmlFunctions.def"

  /// The table of the installed library, or nothing where there is none.
  static std::optional<Nvml> open();
};

/// Something about a run that its numbers are to be read with.
struct Circumstance {
  std::string Key;  ///< Member of the database's record.
  std::string Text; ///< One line.
};

/// One GPU as the management library sees it. Answers nothing where there is no
/// library, or where it does not know the GPU or the question.
class NvmlGpu {
public:
  /// GPU \p Index of \p Cuda; \p Library is null where there is none.
  NvmlGpu(const Driver &Cuda, const Nvml *Library, unsigned Index);
  ~NvmlGpu();
  NvmlGpu(const NvmlGpu &) = delete;
  NvmlGpu &operator=(const NvmlGpu &) = delete;

  bool isKnown() const { return Device != nullptr; }
  /// What can be said before the run; to be asked before this process uses the
  /// GPU, whose processes are counted.
  std::vector<Circumstance> circumstances() const;
  /// Why clocks are lower now than they would be, such as "power limit"; empty:
  /// they are not, or it is not known.
  std::string loweredClocks() const;

private:
  const Nvml *Library;
  NvmlDevice Device = nullptr;
  bool Started = false;
  std::string Name;
};

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_DRIVER_NVML_H
