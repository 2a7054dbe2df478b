//===- Arithmetic.h - Microkernels of instruction classes ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of instructions that calibration times, and the kernels made from
/// it: k independent chains of one instruction, unrolled.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_ARITHMETIC_H
#define GPUOCC_CALIBRATION_KERNELS_ARITHMETIC_H

#include "Ptx.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace gpuocc::calibration {

/// What the operands of a chain hold at the start. The values keep every chain
/// finite and are loaded from memory, so the compiler cannot fold them.
enum class Operands : uint8_t {
  F32,
  F16x2,
  BF16x2,
  F64,
  Int,
  Small, ///< Small positive integers (shift amounts, byte selectors).
};

/// One instruction and the chain that times it.
///
/// Step is one or more PTX texts used in turn; each depends on the one before
/// through the chain register. Place holders: $d the chain register, $a to $h
/// opaque operands of the chain's width, $t and $u temporaries of the chain
/// (32 bits), $w a 64-bit temporary, $p a chain predicate, $q and $r opaque
/// predicates (true, false), $s the block's shared memory (32-bit address).
struct ArithmeticSpec {
  const char *Key;    ///< Key of InstClass.def, or a name of our own.
  const char *Pipe;   ///< Key of Resource.def.
  const char *Opcode; ///< SASS opcode with its modifiers; '|' separates.
  unsigned Width;     ///< Bits of the chain register.
  Operands Kind;
  std::vector<const char *> Steps;
  double PerStep = 1;            ///< Instructions of the class in one step.
  const char *Partner = nullptr; ///< Class whose latency a step also contains.
  unsigned Unroll = 512;         ///< Steps in one loop iteration.
  unsigned MaxIlp = 8;
  unsigned MaxWarps = 64;
  bool ArchitectureSpecific = false; ///< Needs the 'a' target.
  const char *Setup = "";            ///< PTX before the loop.
  bool Chained = true; ///< False when steps do not depend on one another.
  /// Pair of dependenceSpecs() whose excess a step with a partner also has.
  const char *Excess = nullptr;
  const char *Module = ""; ///< PTX before the entries.
};

/// Classes of InstClass.def, one row each.
llvm::ArrayRef<ArithmeticSpec> arithmeticSpecs();

/// Pairs of classes, "producer -> consumer": a step holds one of each. What
/// the chain takes beyond the latencies of both, the excess, is the cost of
/// handing a value from one pipe to another, there and back.
llvm::ArrayRef<ArithmeticSpec> dependenceSpecs();

/// Numbers of independent chains each class is timed with.
inline constexpr unsigned IlpSteps[] = {1, 2, 4, 8};

/// Name of the entry for \p Ilp chains.
std::string arithmeticKernelName(unsigned Ilp);

/// The module with one kernel for each number of chains up to Spec.MaxIlp.
std::string arithmeticModule(const ArithmeticSpec &Spec, PtxTarget Target);

/// The 16 words of input for \p Kind: 8 chain starts, then $a to $h.
std::vector<uint64_t> arithmeticInput(Operands Kind, unsigned Width);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_ARITHMETIC_H
