//===- PtxWriter.h - Writes the steps of PTX instructions ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_KERNEL_PTXWRITER_H
#define GPUOCC_LIB_KERNEL_PTXWRITER_H

#include "gpuocc/Kernel/PtxSteps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuocc {

/// A type in a mnemonic: "u32", "bf16x2", "pred".
struct PtxWordType {
  llvm::StringRef Text;
  /// Of one part.
  unsigned Bits = 0;
  unsigned Parts = 1;

  bool isFloat() const {
    return Text.starts_with("f") || Text.starts_with("bf") ||
           Text.starts_with("tf") || Text.starts_with("e");
  }
  bool isSigned() const { return Text.starts_with("s"); }
  /// Single and double precision, which Semantics.def has rows for.
  bool isWideFloat() const { return Text == "f32" || Text == "f64"; }
  bool isHalf() const { return Text == "f16" || Text == "f16x2"; }
  bool isBrain() const { return Text == "bf16" || Text == "bf16x2"; }
};

/// The type that \p Word names; one without bits when it is none.
PtxWordType ptxWordType(llvm::StringRef Word);

/// An operand of a statement.
struct PtxArgument {
  PtxRef Value;
  /// The name that is written, for results.
  llvm::StringRef Name;
  /// "b0", "h1", "b7531" behind the name.
  llvm::StringRef Part;
  /// "{a, b}", "d|p".
  std::vector<PtxArgument> Elements;
  bool IsVector = false;
  /// Written with "-" before it.
  bool IsNegative = false;
};

/// Writes the steps of one statement.
class PtxWriter {
public:
  PtxWriter(PtxBlock &To, uint32_t Statement) : To(To), Statement(Statement) {}

  // The statement.
  llvm::SmallVector<llvm::StringRef, 8> Words;
  /// Behind the result.
  llvm::ArrayRef<PtxArgument> Operands;
  /// What is computed, in the order in which the statement names it.
  llvm::SmallVector<PtxRef, 4> Results;
  /// Names of the results.
  unsigned NumResults = 1;
  /// What of the result is written: "b0", "h10"; empty for all of it.
  llvm::StringRef ResultPart;
  /// The condition code; unknown at the begin of a block.
  PtxRef Carry;

  bool has(llvm::StringRef Word) const {
    return llvm::is_contained(Words, Word);
  }
  /// Type \p FromEnd types before the last one.
  PtxWordType type(unsigned FromEnd = 0) const;
  size_t size() const { return Operands.size(); }
  /// Operand \p I; of a missing one nothing is known.
  PtxRef in(unsigned I) const {
    return I < Operands.size() ? Operands[I].Value : PtxRef();
  }
  bool done(PtxRef Result) {
    Results.push_back(Result);
    return true;
  }

  static PtxRef number(int64_t V) { return PtxRef::number(V); }

  PtxRef op(Semantics What, unsigned Bits, llvm::ArrayRef<PtxRef> O,
            unsigned FromBits = 0);
  PtxRef compare(ComparePredicate P, unsigned Bits, PtxRef A, PtxRef B);
  /// FCompare; \p HoldsForNaN as in Semantics.def.
  PtxRef compareFloats(ComparePredicate P, bool HoldsForNaN, unsigned Bits,
                       PtxRef A, PtxRef B);
  /// The step written last is an approximation of the hardware.
  void markApproximate() { To.Steps.back().Imm = 1; }
  PtxRef special(SpecialReg R);
  PtxRef shuffle(ShuffleKind Kind, PtxRef A, PtxRef By, PtxRef Clamp,
                 unsigned Results = 1);
  /// FToS, FToU or FConvert, or FFromS and FFromU with no rounding.
  PtxRef convert(Semantics What, unsigned Bits, unsigned FromBits, PtxRef A,
                 IntegerRounding Mode = IntegerRounding::None);

  PtxRef select(unsigned Bits, PtxRef If, PtxRef Then, PtxRef Else) {
    return op(Semantics::Select, Bits, {Then, Else, If});
  }
  PtxRef add(unsigned Bits, PtxRef A, PtxRef B) {
    return op(Semantics::Add, Bits, {A, B});
  }
  PtxRef sub(unsigned Bits, PtxRef A, PtxRef B) {
    return op(Semantics::Sub, Bits, {A, B});
  }
  PtxRef bitAnd(unsigned Bits, PtxRef A, PtxRef B) {
    return op(Semantics::And, Bits, {A, B});
  }
  PtxRef bitOr(unsigned Bits, PtxRef A, PtxRef B) {
    return op(Semantics::Or, Bits, {A, B});
  }
  PtxRef bitXor(unsigned Bits, PtxRef A, PtxRef B) {
    return op(Semantics::Xor, Bits, {A, B});
  }
  PtxRef bitNot(unsigned Bits, PtxRef A) {
    return op(Semantics::Not, Bits, {A});
  }
  PtxRef shl(unsigned Bits, PtxRef A, PtxRef By) {
    return op(Semantics::Shl, Bits, {A, By});
  }
  PtxRef shrU(unsigned Bits, PtxRef A, PtxRef By) {
    return op(Semantics::ShrU, Bits, {A, By});
  }
  PtxRef shrS(unsigned Bits, PtxRef A, PtxRef By) {
    return op(Semantics::ShrS, Bits, {A, By});
  }
  /// The smaller (larger) of \p A and \p B.
  PtxRef least(bool Signed, unsigned Bits, PtxRef A, PtxRef B) {
    return op(Signed ? Semantics::MinS : Semantics::MinU, Bits, {A, B});
  }
  PtxRef most(bool Signed, unsigned Bits, PtxRef A, PtxRef B) {
    return op(Signed ? Semantics::MaxS : Semantics::MaxU, Bits, {A, B});
  }
  /// \p A, a number of \p FromBits bits, in \p Bits.
  PtxRef extend(bool Signed, unsigned Bits, unsigned FromBits, PtxRef A) {
    return Bits == FromBits ? A
                            : op(Signed ? Semantics::SExt : Semantics::ZExt,
                                 Bits, {A}, FromBits);
  }
  /// The \p Length bits of \p A from \p At on, extended to 32 (64) bits.
  PtxRef field(bool Signed, unsigned Bits, PtxRef A, unsigned At,
               unsigned Length) {
    return op(Signed ? Semantics::BfeS : Semantics::BfeU, Bits,
              {A, number(At), number(Length)});
  }
  /// \p Into with the low \p Length bits of \p A at \p At.
  PtxRef insert(PtxRef A, PtxRef Into, unsigned At, unsigned Length) {
    return op(Semantics::Bfi, 32, {A, Into, number(At), number(Length)});
  }
  /// \p A, in 64 bits, moved into the numbers of \p Bits bits.
  PtxRef clamp(bool Signed, unsigned Bits, PtxRef A);

private:
  PtxBlock &To;
  uint32_t Statement;
};

/// Writes what a statement computes; false when it has no meaning.
using PtxLiftFunction = bool (*)(PtxWriter &W);

/// An instruction, by the first word of its mnemonic.
struct PtxLiftRow {
  llvm::StringLiteral Word;
  PtxLiftFunction Write;
};

// The families of instructions, each a table.
llvm::ArrayRef<PtxLiftRow> ptxIntegerRows();
llvm::ArrayRef<PtxLiftRow> ptxBitRows();
llvm::ArrayRef<PtxLiftRow> ptxCompareRows();
llvm::ArrayRef<PtxLiftRow> ptxConvertRows();
llvm::ArrayRef<PtxLiftRow> ptxFloatRows();
llvm::ArrayRef<PtxLiftRow> ptxVideoRows();
llvm::ArrayRef<PtxLiftRow> ptxWarpRows();
llvm::ArrayRef<PtxLiftRow> ptxClusterRows();

/// The operation on floating-point numbers of the same name as one on whole
/// ones ("add", "min").
bool writePtxFloat(PtxWriter &W);

/// \p A, the bits of a half or bfloat16, as the bits of a float.
PtxRef halfToFloat(PtxWriter &W, PtxRef A);
PtxRef brainToFloat(PtxWriter &W, PtxRef A);
/// \p A, the bits of a float (\p Bits 32) or double, as those of the type that
/// \p Name names ("f16", "bf16"), rounded as the mnemonic says.
PtxRef floatToSmall(PtxWriter &W, llvm::StringRef Name, unsigned Bits,
                    PtxRef A);
/// \p A as a float: \p T is a type of 16 or 32 bits.
PtxRef toFloat(PtxWriter &W, const PtxWordType &T, PtxRef A);
/// \p A, of \p Bits bits, or 0 where it is negative.
PtxRef notNegative(PtxWriter &W, unsigned Bits, PtxRef A);
/// \p A, the bits of a float, with zero for subnormal numbers.
PtxRef flushed(PtxWriter &W, PtxRef A);

} // namespace gpuocc

#endif // GPUOCC_LIB_KERNEL_PTXWRITER_H
