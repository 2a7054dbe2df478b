//===- Operation.h - One machine-level operation of a kernel ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations are in SSA form: each is named by its index in
/// KernelFacts::Operations, and operands refer to earlier results by index.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_OPERATION_H
#define GPUOCC_KERNEL_OPERATION_H

#include "gpuocc/Kernel/IssueControl.h"
#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace gpuocc {

/// An absent index.
constexpr uint32_t NoIndex = std::numeric_limits<uint32_t>::max();

/// What an operation computes. Rows of Semantics.def.
enum class Semantics : uint8_t {
#define SEMANTICS(Enum, Text, Arity) Enum,
#include "gpuocc/Kernel/Semantics.def"
};

/// Special registers that addresses and conditions use.
enum class SpecialReg : uint8_t {
  None,
  TidX,
  TidY,
  TidZ,
  NTidX,
  NTidY,
  NTidZ,
  CtaIdX,
  CtaIdY,
  CtaIdZ,
  NCtaIdX,
  NCtaIdY,
  NCtaIdZ,
  ClusterCtaIdX,
  ClusterCtaIdY,
  ClusterCtaIdZ,
  ClusterNCtaIdX,
  ClusterNCtaIdY,
  ClusterNCtaIdZ,
  ClusterIdX,
  ClusterIdY,
  ClusterIdZ,
  NClusterIdX,
  NClusterIdY,
  NClusterIdZ,
  ClusterCtaRank,
  ClusterNCtaRank,
  LaneId,
  WarpId,
  NWarpId,
  SmId,
  Clock,
  GlobalTimer,
  LaneMaskEq,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskGt,
  LaneMaskGe,
  DynamicSharedBytes,
  WarpSize,
  Other
};

/// Comparison of a Compare or FCompare operation.
enum class ComparePredicate : uint8_t {
  EQ,
  NE,
  LTS,
  LES,
  GTS,
  GES,
  LTU,
  LEU,
  GTU,
  GEU,
  /// Not evaluated.
  Other
};

/// Does \p Predicate ask which of two numbers is greater?
constexpr bool isOrder(ComparePredicate Predicate) {
  return Predicate >= ComparePredicate::LTS &&
         Predicate <= ComparePredicate::GEU;
}

/// How a conversion rounds to a whole number (PTX .rni, .rzi, .rmi, .rpi).
enum class IntegerRounding : uint8_t { None, Nearest, TowardZero, Down, Up };

/// How a Shuffle moves its operand.
enum class ShuffleKind : uint8_t { None, Up, Down, Bfly, Idx };

/// One input of an operation.
///
/// Its members leave no gap: clang 22.1 loses the upper half of a word whose
/// lower half has one, where such values are made in a loop (x86-64, -O1 on).
struct Operand {
  enum class Kind : uint16_t {
    /// Result `Result` of operation `Index`.
    Value,
    /// The integer `Imm`.
    Immediate,
    /// KernelFacts::Symbols[Index].
    Symbol,
    /// Undefined or not representable (a physical register, say).
    Undef
  };
  Kind K = Kind::Undef;
  uint16_t Result = 0;
  uint32_t Index = NoIndex;
  int64_t Imm = 0;

  static Operand value(uint32_t Op, uint16_t Result = 0) {
    return {Kind::Value, Result, Op, 0};
  }
  static Operand immediate(int64_t Imm) {
    return {Kind::Immediate, 0, NoIndex, Imm};
  }
  static Operand symbol(uint32_t Index) { return {Kind::Symbol, 0, Index, 0}; }
  bool isValue() const { return K == Kind::Value; }
  bool isImmediate() const { return K == Kind::Immediate; }
  bool operator==(const Operand &) const = default;
};
static_assert(std::has_unique_object_representations_v<Operand>);

/// Machine instructions that one operation becomes after ptxas.
///
/// The class comes last, so that the gap behind it is at the end (see Operand).
struct Emission {
  /// How many instructions of the class are issued per execution.
  float Count = 1;
  /// How many of them lie on the path from the operands to the result.
  float OnPath = 1;
  InstClass Class = {};

  constexpr Emission() = default;
  constexpr Emission(InstClass Class, float Count = 1, float OnPath = 1)
      : Count(Count), OnPath(OnPath), Class(Class) {}
  bool operator==(const Emission &) const = default;
};

/// Functions of the CUDA runtime in which callers wait for one another.
enum class QueuedFunction : uint8_t { Printf, Malloc, Free };
inline constexpr unsigned NumQueuedFunctions = 3;

/// "printf", "malloc", "free".
llvm::StringRef queuedFunctionText(QueuedFunction F);

/// Calls of such a function in one operation.
struct QueuedCall {
  QueuedFunction Function = QueuedFunction::Printf;
  float Count = 1;
  bool operator==(const QueuedCall &) const = default;
};

/// One operation. Emits is what it costs, What and the fields after it say
/// what it computes.
struct Operation {
  /// Name in the view it was read from: "FMA_F32rrr", "IMAD.WIDE".
  std::string Opcode;
  /// Empty for what costs nothing (phis, folded addressing).
  llvm::SmallVector<Emission, 1> Emits;
  /// Calls only: what of it the callers of the whole grid queue for.
  llvm::SmallVector<QueuedCall, 0> Queued;
  Semantics What = Semantics::Opaque;
  /// Width of the result (of the operands, for Compare); 1 for predicates.
  uint8_t Bits = 32;
  uint8_t FromBits = 0;
  uint8_t NumResults = 1;
  SpecialReg SReg = SpecialReg::None;
  ComparePredicate Compare = ComparePredicate::Other;
  ShuffleKind Shuffle = ShuffleKind::None;
  int64_t Imm = 0;
  llvm::SmallVector<Operand, 3> Operands;
  /// Products only: how many of the operands in turn are read as one tuple of
  /// neighboring registers.
  llvm::SmallVector<uint32_t, 0> Tuples;
  /// Phi only: index of the predecessor block of each operand.
  llvm::SmallVector<uint32_t, 2> PhiBlocks;
  /// Index of the containing block in KernelFacts::Blocks.
  uint32_t Block = NoIndex;
  /// Index in KernelFacts::Locations.
  uint32_t Location = NoIndex;
  /// Index in KernelFacts::Accesses, for memory operations.
  uint32_t Access = NoIndex;
  /// Number of the compiler's instruction that this was made from, the same in
  /// every machine view of a kernel; NoIndex if unknown.
  uint32_t Origin = NoIndex;
  /// SASS only.
  IssueControl Control;
  /// Guard: executes only in lanes where the predicate operand holds.
  Operand Guard;
  bool GuardNegated = false;

  bool operator==(const Operation &) const = default;
};

/// The text of \p S in Semantics.def.
llvm::StringRef semanticsText(Semantics S);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_OPERATION_H
