//===- FragmentReader.cpp - Memory accesses of matrix fragments -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentReader.h"
#include "AccessReader.h"
#include "AsmStatement.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Elements of a matrix operand.
struct ElementType {
  StringRef Name;
  unsigned Bytes;
  unsigned InRow;    ///< Elements of a row that one lane holds next to another.
  bool IsTransposed; ///< MOVM turns tiles of it.
};

/// Of a product: A is M x K, B is K x N, the accumulator M x N.
struct Shape {
  StringRef Name;
  unsigned M, N, K;
};

} // namespace

static constexpr ElementType OperandTypes[] = {
    {"f16", 2, 2, true}, {"bf16", 2, 2, true},  {"s8", 1, 4, false},
    {"u8", 1, 4, false}, {"tf32", 4, 1, false}, {"f64", 8, 1, false}};

static constexpr ElementType AccumulatorTypes[] = {{"f16", 2, 2, true},
                                                   {"f32", 4, 2, false},
                                                   {"s32", 4, 2, false},
                                                   {"f64", 8, 2, false}};

static constexpr Shape Shapes[] = {{"m16n16k16", 16, 16, 16},
                                   {"m32n8k16", 32, 8, 16},
                                   {"m8n32k16", 8, 32, 16},
                                   {"m16n16k8", 16, 16, 8},
                                   {"m8n8k4", 8, 8, 4}};

/// A tile is as many rows, and in a row as many holders of elements.
static constexpr unsigned TileRows = 8, TileHolders = 4;

/// One LDSM reads up to four tiles of 8 lines and 16 bytes, two by two.
static constexpr unsigned MaxMatrixRows = 16, MaxMatrixBytes = 32,
                          MatrixRowBytes = 16;

/// The row of \p Rows that \p Words names, or null.
template <typename Row>
static const Row *namedIn(ArrayRef<Row> Rows, ArrayRef<StringRef> Words) {
  const Row *Found =
      find_if(Rows, [&](const Row &R) { return is_contained(Words, R.Name); });
  return Found == Rows.end() ? nullptr : Found;
}

std::optional<FragmentAccess> gpuocc::decodeFragment(StringRef Mnemonic) {
  const SmallVector<StringRef, 12> Words = mnemonicWords(Mnemonic);
  auto Has = [&](StringRef Word) { return is_contained(Words, Word); };
  if (Words.size() < 4 || Words[0] != "wmma" ||
      (Words[1] != "load" && Words[1] != "store"))
    return std::nullopt;
  const StringRef Matrix = Words[2];
  const bool IsOperand = Matrix == "a" || Matrix == "b";
  const Shape *S = namedIn<Shape>(Shapes, Words);
  const ElementType *T = IsOperand
                             ? namedIn<ElementType>(OperandTypes, Words)
                             : namedIn<ElementType>(AccumulatorTypes, Words);
  if (!S || !T)
    return std::nullopt;
  FragmentAccess F;
  F.Kind = Words[1] == "load" ? AccessKind::Load : AccessKind::Store;
  F.Space = Has("global")   ? MemorySpace::Global
            : Has("shared") ? MemorySpace::Shared
                            : MemorySpace::Generic;
  F.ElementBytes = T->Bytes;
  F.ElementsPerLane = T->InRow;
  // Tiles have rows of A and of accumulators, and columns of B. Accumulators
  // that are wider than high are kept turned by a quarter.
  const bool IsTurned = !IsOperand && S->N > S->M;
  const bool HasColumns = Matrix == "b" || IsTurned;
  const unsigned Rows = HasColumns ? S->N : S->M;
  const unsigned Columns = IsOperand ? S->K : IsTurned ? S->M : S->N;
  const bool IsAlongRows = Has("row") != HasColumns;
  const unsigned RowTiles = Rows / TileRows,
                 ColumnTiles = Columns / (TileHolders * T->InRow);
  // Half precision operands have registers for twice as much.
  const bool IsHalfOperand = IsOperand && T->Name == "f16";
  F.NumRegisters =
      IsHalfOperand ? 8 : Rows * Columns / 32 / std::max(1u, 4 / T->Bytes);
  const bool IsTransposed = !IsAlongRows && T->IsTransposed;
  F.AcrossLines = !IsAlongRows && !IsTransposed;
  if (IsOperand && F.Space == MemorySpace::Shared && !F.AcrossLines &&
      T->Bytes < 4) {
    const unsigned Lines = IsAlongRows ? Rows : Columns;
    const unsigned LineBytes = (IsAlongRows ? Columns : Rows) * T->Bytes;
    F.MatrixRows = std::min(Lines, MaxMatrixRows);
    F.MatrixBytes = std::min(LineBytes, MaxMatrixBytes);
    F.BytesPerLane = MatrixRowBytes;
    for (unsigned L = 0; L < Lines; L += F.MatrixRows)
      for (unsigned B = 0; B < LineBytes; B += F.MatrixBytes)
        F.Pieces.push_back({L, B});
    return F;
  }
  F.NumTransposed = IsTransposed ? RowTiles * ColumnTiles : 0;
  F.NumPacked = F.AcrossLines && T->Bytes < 4 ? F.NumRegisters : 0;
  F.BytesPerLane = F.AcrossLines ? T->Bytes : T->Bytes * T->InRow;
  for (unsigned R = 0; R != RowTiles; ++R)
    for (unsigned C = 0; C != ColumnTiles; ++C) {
      // Tiles that MOVM turns are read as what they become.
      const int64_t AtRow = TileRows * (IsTransposed ? C : R),
                    AtColumn = TileHolders * T->InRow * (IsTransposed ? R : C);
      if (!F.AcrossLines) {
        F.Pieces.push_back({AtRow, AtColumn * int64_t(T->Bytes)});
        continue;
      }
      for (unsigned I = 0; I != T->InRow; ++I)
        F.Pieces.push_back({AtColumn + I, AtRow * int64_t(T->Bytes)});
    }
  return F;
}

std::optional<FragmentAccess> gpuocc::decodeFragment(const MachineInstr &MI,
                                                     StringRef Name) {
  // Address, offset, leading dimension and the version of PTX.
  constexpr unsigned NumOthers = 4;
  std::optional<FragmentAccess> F = decodeFragment(Name);
  if (F && MI.getNumExplicitOperands() == F->NumRegisters + NumOthers)
    return F;
  return std::nullopt;
}

/// Operations for the lane's address.
static unsigned numAddressOperations(const FragmentAccess &F) {
  return F.MatrixRows != 0 ? 7 : 6;
}

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
  return numAddressOperations(F) + unsigned(lineDistances(F).size()) +
         unsigned(F.Pieces.size());
}

namespace {

/// Writes the operations of one fragment over those from First on.
class FragmentFiller {
public:
  FragmentFiller(const FragmentAccess &F, KernelFacts &Facts, uint32_t First,
                 Operand Line, const Operation &Like)
      : F(F), Facts(Facts), Next(First), Line(Line), Like(Like),
        IsConstant(isConstant(Facts, Line)) {}

  /// The address of the lane's first element. The lane index and its parts are
  /// computed once for all fragments. So are multiples of a constant distance
  /// between lines: fragments that lie at constant distances from another share
  /// its address.
  Operand addAddress(Operand Base) {
    const auto [InTile, InRow] =
        F.MatrixRows != 0 ? addPlaceInMatrix() : addPlaceInTile();
    const Operand Element = add(
        Semantics::Mad, 32,
        {F.AcrossLines ? InRow : InTile, Line, F.AcrossLines ? InTile : InRow},
        {{InstClass::IMadWide, 1, 1}});
    const Operand Address =
        add(Semantics::MadWideU, 64, {Element, imm(F.ElementBytes), Base},
            {{InstClass::Lea, 2, 2}});
    if (IsConstant)
      operation(Element).Emits.clear();
    if (IsConstant && isAtConstantDistance(Facts, Base))
      operation(Address).Emits.clear();
    return Address;
  }

  /// What lies \p Lines lines behind \p Address.
  Operand addLines(Operand Address, int64_t Lines) {
    const Operand At = add(Semantics::MadWideU, 64,
                           {Line, imm(Lines * F.ElementBytes), Address},
                           {{InstClass::IMadWide, 1, 1}});
    if (IsConstant)
      operation(At).Emits.clear();
    return At;
  }

  /// The access to the piece at \p At + \p OffsetBytes.
  Operand addAccess(Operand At, int64_t OffsetBytes, ArrayRef<Operand> Data) {
    const InstClass Class =
        F.MatrixRows != 0 ? InstClass::LdMatrix : issueClass(F.Space, F.Kind);
    const Operand Value =
        add(Semantics::Load, F.BytesPerLane * 8, {At}, {{Class, 1, 1}});
    Operation &Op = operation(Value);
    Op.Opcode = Like.Opcode;
    append_range(Op.Operands, Data);
    Op.Access = uint32_t(Facts.Accesses.size());
    MemoryAccess Access;
    Access.Op = Value.Index;
    Access.Space = F.Space;
    Access.Kind = F.Kind;
    Access.BytesPerLane = F.BytesPerLane;
    Access.Base = At;
    Access.OffsetBytes = OffsetBytes;
    Facts.Accesses.push_back(std::move(Access));
    return Value;
  }

private:
  static Operand imm(int64_t V) { return Operand::immediate(V); }
  Operation &operation(Operand O) { return Facts.Operations[O.Index]; }

  Operand add(Semantics What, unsigned Bits,
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
  }

  Operand addLane() {
    const Operand Lane = add(Semantics::SReg, 32, {}, {});
    operation(Lane).SReg = SpecialReg::LaneId;
    return Lane;
  }

  /// The row that the lane addresses for LDSM, and where in it.
  std::pair<Operand, Operand> addPlaceInMatrix() {
    const unsigned InStep = MatrixRowBytes / F.ElementBytes;
    const unsigned Steps = F.MatrixBytes / MatrixRowBytes;
    const Operand Lane = addLane();
    const Operand Row =
        add(Semantics::And, 32, {Lane, imm(F.MatrixRows - 1)}, {});
    const Operand Step =
        add(Semantics::ShrU, 32, {Lane, imm(Log2_32(F.MatrixRows))}, {});
    const Operand InRow = add(Semantics::And, 32, {Step, imm(Steps - 1)}, {});
    return {Row, add(Semantics::Mul, 32, {InRow, imm(InStep)}, {})};
  }

  /// The row of a tile that the lane holds, and where in it.
  std::pair<Operand, Operand> addPlaceInTile() {
    const Operand Lane = addLane();
    const Operand Row = add(Semantics::ShrU, 32, {Lane, imm(2)}, {});
    const Operand Holder = add(Semantics::And, 32, {Lane, imm(3)}, {});
    return {Row, add(Semantics::Shl, 32,
                     {Holder, imm(Log2_32(F.ElementsPerLane))}, {})};
  }

  const FragmentAccess &F;
  KernelFacts &Facts;
  uint32_t Next;
  const Operand Line;
  const Operation &Like;
  const bool IsConstant;
};

} // namespace

SmallVector<Operand, 8> gpuocc::fillFragment(const FragmentAccess &F,
                                             KernelFacts &Facts, uint32_t First,
                                             Operand Base, int64_t OffsetBytes,
                                             Operand Line,
                                             ArrayRef<Operand> Data,
                                             const Operation &Like) {
  FragmentFiller Filler(F, Facts, First, Line, Like);
  const Operand Address = Filler.addAddress(Base);
  const SmallVector<int64_t, 3> Distances = lineDistances(F);
  SmallVector<Operand, 3> Bases;
  for (int64_t Lines : Distances)
    Bases.push_back(Filler.addLines(Address, Lines));
  SmallVector<Operand, 8> Values;
  for (const FragmentPiece &P : F.Pieces) {
    const Operand At =
        P.Lines == 0
            ? Address
            : Bases[size_t(find(Distances, P.Lines) - Distances.begin())];
    Values.push_back(Filler.addAccess(At, OffsetBytes + P.Bytes, Data));
  }
  return Values;
}
