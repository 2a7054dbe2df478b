//===- ClassPairs.h - Microkernels of one class after another --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Chains in which two instruction classes take turns, each with the result of
/// the other: what it takes to hand a value from any class to any other.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_CLASSPAIRS_H
#define GPUOCC_CALIBRATION_KERNELS_CLASSPAIRS_H

#include "Ptx.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc::calibration {

/// A machine instruction that makes a new value of the chain's.
///
/// Text is PTX with the place holders $d, the chain's word, and $D, the chain's
/// 64 bits, of which $d is the upper word. %a, %b, %c hold zeros of 32 bits and
/// %A, %B of 64 that the compiler does not know; %q is true. %p is what a
/// comparison makes.
struct ClassStep {
  std::string Key;    ///< Key of InstClass.def.
  std::string Opcode; ///< SASS opcodes; '|' separates.
  std::string Text;
  /// How it uses the value: "", ".address", which must stay zero, or
  /// ".predicate".
  std::string Use = "";
  bool KeepsZero = true;     ///< Zero becomes zero.
  unsigned Instructions = 1; ///< That Text becomes.
  /// One that stands for its pipe, where there is no time for all pairs.
  bool Representative = false;

  /// Text names $D.
  bool isWide() const { return llvm::StringRef(Text).contains("$D"); }
};

/// The classes that take a value of a register and make one.
llvm::ArrayRef<ClassStep> classSteps();

/// The comparisons: they take a value and make a predicate.
llvm::ArrayRef<ClassStep> compareSteps();

/// What takes a predicate and makes a value; the first is a selection.
llvm::ArrayRef<ClassStep> predicateSteps();

/// \p Compare and a selection by its predicate, as one step.
ClassStep compareAndSelect(const ClassStep &Compare);

/// Whether \p First and \p Second, which may be the same, can take turns: no
/// address is made of what is not zero, and no assembler for \p Architecture
/// makes something else of the two.
bool canTakeTurns(const ClassStep &First, const ClassStep &Second,
                  unsigned Architecture = 90);

/// How often the two take turns in a loop iteration.
inline constexpr unsigned ClassPairTurns = 32;

/// \p First and \p Second in turns; in = 64 words of zero.
TimedKernel classPair(const ClassStep &First, const ClassStep &Second);

/// The module with classPair(First, S) for each S of \p Others.
std::string classPairModule(const ClassStep &First,
                            llvm::ArrayRef<ClassStep> Others, PtxTarget Target);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_CLASSPAIRS_H
