//===- PtxSteps.h - What PTX instructions compute --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The meaning of PTX instructions as steps, each a row of Semantics.def.
/// Readers make operations of the steps: one of each statement has the cost of
/// the statement, the others are free. The steps of an instruction are written
/// once, in the tables of lib/Kernel/Ptx*.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_PTXSTEPS_H
#define GPUOCC_KERNEL_PTXSTEPS_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <type_traits>
#include <vector>

namespace gpuocc {

/// A value in a block of PTX.
struct PtxRef {
  enum class Kind : uint16_t {
    /// Result `Result` of step `Index`.
    Step,
    /// What `$Index` of the text holds before it runs.
    Argument,
    /// The integer `Number`.
    Number,
    /// A name that the text does not say the value of.
    Unknown
  };
  Kind K = Kind::Unknown;
  uint16_t Result = 0;
  uint32_t Index = 0;
  int64_t Number = 0;

  static PtxRef step(uint32_t Index, uint16_t Result = 0) {
    return {Kind::Step, Result, Index, 0};
  }
  static PtxRef argument(uint32_t Index) {
    return {Kind::Argument, 0, Index, 0};
  }
  static PtxRef number(int64_t Number) { return {Kind::Number, 0, 0, Number}; }
  bool isStep() const { return K == Kind::Step; }
  bool isNumber() const { return K == Kind::Number; }
  bool operator==(const PtxRef &) const = default;
};
static_assert(std::has_unique_object_representations_v<PtxRef>);

/// One step. Operands refer to steps before it.
struct PtxStep {
  Semantics What = Semantics::Opaque;
  uint8_t Bits = 32;
  uint8_t FromBits = 0;
  uint8_t NumResults = 1;
  SpecialReg SReg = SpecialReg::None;
  ComparePredicate Compare = ComparePredicate::Other;
  ShuffleKind Shuffle = ShuffleKind::None;
  int64_t Imm = 0;
  llvm::SmallVector<PtxRef, 3> Operands;
  /// The statement of the block that it belongs to.
  uint32_t Statement = 0;
};

/// A statement of a block.
struct PtxBlockStatement {
  /// Refers to the text of the block.
  llvm::StringRef Text;
  /// The step that has its cost; none where nothing is computed.
  std::optional<uint32_t> Principal;
  /// The steps are what it computes.
  bool IsLifted = false;
};

/// A text of inline assembly, read.
struct PtxBlock {
  std::vector<PtxStep> Steps;
  std::vector<PtxBlockStatement> Statements;
  /// What each `$N` that is written holds afterwards.
  llvm::SmallVector<std::pair<uint32_t, PtxRef>, 2> Results;

  /// What \p Argument holds afterwards; null where it is not written.
  const PtxRef *result(uint32_t Argument) const {
    for (const auto &[Index, Ref] : Results)
      if (Index == Argument)
        return &Ref;
    return nullptr;
  }
  /// Does any statement compute what the steps say?
  bool isLifted() const;
};

/// Which instructions have a meaning.
enum class PtxNumbers {
  /// Those on half precision have none, but for what makes floats of them: tens
  /// of steps each, and addresses and conditions seldom rest on them.
  WithoutHalves,
  All
};

/// Reads \p Text, statements of PTX on operands `$0`, `$1` and so on, as inline
/// assembly has them. What a statement without meaning writes is an Opaque step
/// of its operands. With jumps in it no statement has a meaning. The carry of
/// add.cc and the like passes between statements; comments "// carry = $1" and
/// "// $0 = carry" in lines of their own exchange it with operands.
PtxBlock readPtxBlock(llvm::StringRef Text,
                      PtxNumbers Which = PtxNumbers::WithoutHalves);

/// The steps of the instruction \p Mnemonic, whose arguments are \p NumResults
/// results and then \p NumOperands operands; nothing if it has no meaning.
std::optional<PtxBlock>
liftPtxText(llvm::StringRef Mnemonic, unsigned NumResults, unsigned NumOperands,
            PtxNumbers Which = PtxNumbers::WithoutHalves);

/// Is there a row for instructions whose mnemonic begins with \p Word?
bool isEvaluatedPtx(llvm::StringRef Word);

/// Why \p Mnemonic is not evaluated: a row of OpaquePtx.def; empty when there
/// is none.
llvm::StringRef whyOpaquePtx(llvm::StringRef Mnemonic);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_PTXSTEPS_H
