//===- MachineCode.h - Instructions of a cubin -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the encoding of machine code says of the time between instructions,
/// without a disassembler.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_MACHINECODE_H
#define GPUOCC_CALIBRATION_STATS_MACHINECODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <vector>

namespace gpuocc::calibration {

/// One instruction of sm_70 or later, 128 bits.
///
/// Source: Jia et al. 2018, "Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking", section 2.1. Bits 0 to 8 tell what it is, 9 to 11 what
/// kind of operands it has; 105 to 125 are the control code.
struct EncodedInstruction {
  unsigned Opcode = 0;
  /// Cycles until the next instruction of the warp may issue.
  unsigned StallCycles = 0;
  /// Consumers wait for a barrier: its latency varies, or is too long for a
  /// stall.
  bool SetsBarrier = false;
};

/// The instructions of \p Kernel in \p Cubin, an ELF file. None when it is not
/// there.
std::vector<EncodedInstruction> instructionsOf(llvm::StringRef Cubin,
                                               llvm::StringRef Kernel);

/// Opcodes that \p Code has at least \p Times times, but for NOP.
std::set<unsigned> frequentOpcodes(llvm::ArrayRef<EncodedInstruction> Code,
                                   unsigned Times);

/// How instructions of one kind are followed by those of another.
struct IssueDistance {
  /// Mean of the stalls from one to the other, without those that are three
  /// times the median or more: the two are then no neighbours in the loop.
  double Cycles = 0;
  /// A quarter or more set a barrier: of a class that the assembler makes more
  /// than one instruction of, the last ones may not.
  bool SetsBarrier = false;
};

/// From instructions of \p First to the next of \p First or \p Second, where
/// that is of \p Second. Nothing when none is.
std::optional<IssueDistance>
issueDistance(llvm::ArrayRef<EncodedInstruction> Code,
              const std::set<unsigned> &First,
              const std::set<unsigned> &Second);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_MACHINECODE_H
