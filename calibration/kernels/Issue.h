//===- Issue.h - Classes that are timed at issue ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Instructions that need more than a chain in registers: stores, generic
/// accesses, calls, indexed branches, constants of the uniform datapath.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_ISSUE_H
#define GPUOCC_CALIBRATION_KERNELS_ISSUE_H

#include "Ptx.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc::calibration {

/// One instruction class, in a row.
///
/// Texts are PTX with the place holders '#' (number of the step) and '$'
/// (number of the chain). %d0 to %d7 hold words of the input, %a0 to %a7 the
/// lane's own address in the buffer x: 4 KiB a warp, 8 bytes a lane.
struct IssueSpec {
  const char *Key;    ///< Key of InstClass.def.
  const char *Pipe;   ///< Key of Resource.def.
  const char *Opcode; ///< SASS opcodes; '|' separates.
  const char *Step;
  const char *Source; ///< The method in words.
  unsigned Steps = 64;
  double PerStep = 1; ///< Instructions of the class in one step.
  /// Instructions that share what one of them is measured to take.
  double Sharers = 1;
  bool Chained = false;          ///< A step needs the result of the one before.
  const char *Beside = nullptr;  ///< Class whose latency a step also holds.
  unsigned WideChains = 1;       ///< Chains of the throughput kernel.
  bool OneSm = false;            ///< Throughput of one SM, the others idle.
  const char *Setup = "";        ///< Before the loop.
  const char *Last = "";         ///< Behind the steps of an iteration.
  const char *Module = "";       ///< Before the entry.
  const char *Declarations = ""; ///< Further registers and variables.
};

/// One row a class.
llvm::ArrayRef<IssueSpec> issueSpecs();

/// The kernel of \p Spec with \p Chains chains: x = buffer, z = 0.
TimedKernel issueKernel(const IssueSpec &Spec, unsigned Chains);

/// \p Registers + 1 moves: registers that change places in a ring.
TimedKernel moves(unsigned Registers);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_ISSUE_H
