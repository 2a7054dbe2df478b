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

using namespace gpuocc;
using namespace llvm;

/// Lines and elements of a tile.
static constexpr int64_t Tile = 8;

std::optional<FragmentAccess> gpuocc::decodeFragment(StringRef Mnemonic) {
  SmallVector<StringRef, 10> Words;
  Mnemonic.trim().split(Words, '.', -1, /*KeepEmpty=*/false);
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  if (Words.size() < 4 || Words[0] != "wmma" ||
      (Words[1] != "load" && Words[1] != "store") || !Has("m16n16k16"))
    return std::nullopt;
  FragmentAccess F;
  F.Kind = Words[1] == "load" ? AccessKind::Load : AccessKind::Store;
  F.Space = Has("global")   ? MemorySpace::Global
            : Has("shared") ? MemorySpace::Shared
                            : MemorySpace::Generic;
  const StringRef Matrix = Words[2];
  const bool IsOperand = Matrix == "a" || Matrix == "b";
  const bool IsRow = Has("row");
  if (Has("f32") && !IsOperand) {
    F.ElementBytes = 4;
    F.BytesPerLane = IsRow ? 8 : 4;
    F.AcrossLines = !IsRow;
  } else if (!Has("f16") && !Has("bf16")) {
    return std::nullopt;
  }
  F.NumRegisters = F.ElementBytes == 4 || IsOperand ? 8 : 4;
  // The tensor cores take A by rows and B by columns; accumulators of half
  // precision by rows.
  if (F.ElementBytes == 2 && IsRow != (Matrix != "b"))
    F.NumTransposed = 4;
  const int64_t TileBytes = Tile * F.ElementBytes;
  for (int64_t Lines : {int64_t(0), Tile})
    for (int64_t Bytes : {int64_t(0), TileBytes}) {
      F.Pieces.push_back({Lines, Bytes});
      if (F.AcrossLines)
        F.Pieces.push_back({Lines + 1, Bytes});
    }
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
  Operand Twice = Add(Semantics::Shl, 32, {Pair, Imm(1)}, {});
  Operand Element = Add(
      Semantics::Mad, 32,
      {F.AcrossLines ? Twice : InTile, Line, F.AcrossLines ? InTile : Twice},
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
