//===- FragmentReader.cpp - Memory accesses of matrix fragments -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentReader.h"
#include "AccessReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {
/// Rows, columns and depth of a multiplication.
struct Shape {
  unsigned M = 0, N = 0, K = 0;
};

/// Elements of operands of one type, and the instruction for M x 8 results.
struct OperandType {
  StringLiteral Name;
  unsigned Bytes;
  /// In one register of a lane, or in two for f64.
  unsigned ElementsPerLane;
  InstClass Multiply;
  /// Rows and depth of it.
  unsigned M, K;
};
} // namespace

static constexpr OperandType OperandTypes[] = {
    {"f16", 2, 2, InstClass::MmaF16K16, 16, 16},
    {"bf16", 2, 2, InstClass::MmaBf16K16, 16, 16},
    {"tf32", 4, 1, InstClass::MmaTf32K4, 16, 4},
    {"f64", 8, 1, InstClass::MmaF64, 8, 4},
    {"s8", 1, 4, InstClass::MmaS8K16, 16, 16},
    {"u8", 1, 4, InstClass::MmaS8K16, 16, 16},
};

/// Lines of a tile, and columns of an instruction.
static constexpr unsigned Tile = 8;

static const OperandType *findType(ArrayRef<StringRef> Words) {
  for (const OperandType &T : OperandTypes)
    if (is_contained(Words, T.Name))
      return &T;
  return nullptr;
}

/// The word "m16n16k8" among \p Words.
static std::optional<Shape> findShape(ArrayRef<StringRef> Words) {
  for (StringRef Word : Words) {
    Shape S;
    if (Word.consume_front("m") && !Word.consumeInteger(10, S.M) &&
        Word.consume_front("n") && !Word.consumeInteger(10, S.N) &&
        Word.consume_front("k") && !Word.consumeInteger(10, S.K) &&
        Word.empty() && S.M % Tile == 0 && S.N % Tile == 0)
      return S;
  }
  return std::nullopt;
}

static SmallVector<StringRef, 12> wordsOf(StringRef Mnemonic) {
  SmallVector<StringRef, 12> Words;
  Mnemonic.trim().split(Words, '.', -1, /*KeepEmpty=*/false);
  return Words;
}

std::optional<Emission> gpuocc::decodeMultiplication(StringRef Mnemonic) {
  SmallVector<StringRef, 12> Words = wordsOf(Mnemonic);
  if (Words.size() < 3 || Words[0] != "wmma" || Words[1] != "mma")
    return std::nullopt;
  std::optional<Shape> S = findShape(Words);
  if (!S)
    return std::nullopt;
  // Of half precision only the types of the accumulators are named.
  const OperandType *Type = findType(Words);
  if (!Type)
    Type = &OperandTypes[0];
  const bool IsHalf = Type == &OperandTypes[0];
  const unsigned Steps = S->K / Type->K;
  const unsigned Tiles = std::max(1u, S->M * S->N / (Type->M * Tile));
  if (Steps == 0)
    return std::nullopt;
  InstClass Class = IsHalf && Words.back() == "f16" ? InstClass::MmaF16AccF16K16
                                                    : Type->Multiply;
  return Emission{Class, float(Steps * Tiles), float(Steps)};
}

std::optional<FragmentAccess> gpuocc::decodeFragment(StringRef Mnemonic) {
  SmallVector<StringRef, 12> Words = wordsOf(Mnemonic);
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  if (Words.size() < 4 || Words[0] != "wmma" ||
      (Words[1] != "load" && Words[1] != "store"))
    return std::nullopt;
  std::optional<Shape> S = findShape(Words);
  if (!S)
    return std::nullopt;
  FragmentAccess F;
  F.Kind = Words[1] == "load" ? AccessKind::Load : AccessKind::Store;
  F.Space = Has("global")   ? MemorySpace::Global
            : Has("shared") ? MemorySpace::Shared
                            : MemorySpace::Generic;
  const bool IsA = Words[2] == "a", IsOperand = IsA || Words[2] == "b";
  const bool IsRow = Has("row");
  const OperandType *Type = findType(Words);
  if (Type) {
    F.ElementBytes = Type->Bytes;
    F.ElementsPerLane = IsOperand ? Type->ElementsPerLane : 2;
  } else if (!IsOperand && (Has("f32") || Has("s32"))) {
    F.ElementBytes = 4;
  } else {
    return std::nullopt;
  }
  // The tensor cores take A by rows and B by columns, and have accumulators by
  // rows. Tiles of 16 bits are transposed in registers, wider elements are
  // taken from other lines.
  const bool IsTurned = IsRow != (Words[2] != "b");
  if (IsTurned && F.ElementBytes == 1)
    return std::nullopt;
  F.AcrossLines = IsTurned && F.ElementBytes > 2;
  F.BytesPerLane = F.ElementBytes * (F.AcrossLines ? 1 : F.ElementsPerLane);

  unsigned Rows = IsA || !IsOperand ? S->M : S->K;
  unsigned Columns = IsA ? S->K : S->N;
  const unsigned Lines = IsRow ? Rows : Columns;
  const unsigned Elements = IsRow ? Columns : Rows;
  unsigned TileLines = Tile, TileElements = 4 * F.ElementsPerLane;
  if (F.AcrossLines)
    std::swap(TileLines, TileElements);
  unsigned NumTiles = 0;
  for (unsigned L = 0; L < Lines; L += TileLines)
    for (unsigned E = 0; E < Elements; E += TileElements, ++NumTiles)
      for (unsigned I = 0; I != (F.AcrossLines ? F.ElementsPerLane : 1); ++I)
        F.Pieces.push_back({L + I, int64_t(E) * F.ElementBytes});
  if (IsTurned && F.ElementBytes == 2)
    F.NumTransposed = NumTiles;
  // Operands of half precision fill as many registers as on the first tensor
  // cores.
  const bool IsHalf = Type == &OperandTypes[0];
  const unsigned PerTile =
      !IsOperand && F.ElementBytes > 2 ? F.ElementsPerLane : 1;
  F.NumRegisters = IsHalf && IsOperand ? 8 : NumTiles * PerTile;
  return F;
}

/// The address of the lane is made of this many operations.
static constexpr unsigned NumAddressOperations = 6;

/// Distances in lines that pieces lie at, other than 0.
static SmallVector<int64_t, 3> lineDistances(const FragmentAccess &F) {
  SmallVector<int64_t, 3> Distances;
  for (const FragmentPiece &P : F.Pieces)
    if (P.Lines != 0 && !is_contained(Distances, P.Lines))
      Distances.push_back(P.Lines);
  return Distances;
}

static bool isConstant(const KernelFacts &Facts, const Operand &O) {
  if (!O.isValue() || O.Index >= Facts.Operations.size())
    return O.isImmediate();
  const Operation &Op = Facts.Operations[O.Index];
  return Op.What == Semantics::Copy && Op.Operands.size() == 1 &&
         Op.Operands[0].isImmediate();
}

/// Is \p Base a constant apart from another address?
static bool isAtConstantDistance(const KernelFacts &Facts,
                                 const Operand &Base) {
  if (!Base.isValue() || Base.Index >= Facts.Operations.size())
    return false;
  const Operation &Op = Facts.Operations[Base.Index];
  return Op.What == Semantics::Add && Op.Operands.size() == 2 &&
         Op.Operands[1].isImmediate();
}

unsigned gpuocc::numFragmentOperations(const FragmentAccess &F) {
  return NumAddressOperations + unsigned(lineDistances(F).size()) +
         unsigned(F.Pieces.size());
}

SmallVector<Operand, 8> gpuocc::fillFragment(const FragmentAccess &F,
                                             KernelFacts &Facts, uint32_t First,
                                             Operand Base, int64_t OffsetBytes,
                                             Operand Line,
                                             ArrayRef<Operand> Data,
                                             const Operation &Like) {
  uint32_t Next = First;
  auto Add = [&](Semantics What, unsigned Bits,
                 std::initializer_list<Operand> Operands,
                 std::initializer_list<Emission> Emits) {
    Operation &Op = Facts.Operations[Next];
    Op.Opcode = Like.Opcode + " (address)";
    Op.What = What;
    Op.Bits = uint8_t(Bits);
    Op.Operands.assign(Operands);
    Op.Emits.assign(Emits);
    Op.Block = Like.Block;
    Op.Location = Like.Location;
    return Operand::value(Next++);
  };
  auto Imm = [](int64_t V) { return Operand::immediate(V); };
  // The lane index and its parts are computed once for all fragments. So are
  // multiples of a constant distance between lines: fragments that lie at
  // constant distances from another share its address.
  const bool IsConstant = isConstant(Facts, Line);
  Operand Lane = Add(Semantics::SReg, 32, {}, {});
  Facts.Operations[First].SReg = SpecialReg::LaneId;
  Operand InTile = Add(Semantics::ShrU, 32, {Lane, Imm(2)}, {});
  Operand Pair = Add(Semantics::And, 32, {Lane, Imm(3)}, {});
  Operand InLine =
      Add(Semantics::Shl, 32, {Pair, Imm(Log2_32(F.ElementsPerLane))}, {});
  Operand Element = Add(
      Semantics::Mad, 32,
      {F.AcrossLines ? InLine : InTile, Line, F.AcrossLines ? InTile : InLine},
      {{InstClass::IMadWide, 1, 1}});
  Operand Address =
      Add(Semantics::MadWideU, 64, {Element, Imm(F.ElementBytes), Base},
          {{InstClass::Lea, 2, 2}});
  if (IsConstant)
    Facts.Operations[Element.Index].Emits.clear();
  if (IsConstant && isAtConstantDistance(Facts, Base))
    Facts.Operations[Address.Index].Emits.clear();
  SmallVector<int64_t, 3> Distances = lineDistances(F);
  SmallVector<Operand, 3> Bases;
  for (int64_t Lines : Distances) {
    Bases.push_back(Add(Semantics::MadWideU, 64,
                        {Line, Imm(Lines * F.ElementBytes), Address},
                        {{InstClass::IMadWide, 1, 1}}));
    if (IsConstant)
      Facts.Operations[Bases.back().Index].Emits.clear();
  }
  SmallVector<Operand, 8> Values;
  for (const FragmentPiece &P : F.Pieces) {
    Operand At =
        P.Lines == 0
            ? Address
            : Bases[size_t(find(Distances, P.Lines) - Distances.begin())];
    Values.push_back(Add(Semantics::Load, F.BytesPerLane * 8, {At},
                         {{issueClass(F.Space, F.Kind), 1, 1}}));
    Operation &Op = Facts.Operations[Values.back().Index];
    Op.Opcode = Like.Opcode;
    append_range(Op.Operands, Data);
    Op.Access = uint32_t(Facts.Accesses.size());
    MemoryAccess Access;
    Access.Op = Values.back().Index;
    Access.Space = F.Space;
    Access.Kind = F.Kind;
    Access.BytesPerLane = F.BytesPerLane;
    Access.Base = At;
    Access.OffsetBytes = OffsetBytes + P.Bytes;
    Facts.Accesses.push_back(std::move(Access));
  }
  return Values;
}
