//===- PlacedAccess.cpp - Bulk copies and fetches of textures -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedAccess.h"
#include "gpuocc/Kernel/Coordinates.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// The operands of a statement, from the left.
class OperandText {
public:
  explicit OperandText(StringRef Rest) : Rest(Rest) {}

  /// What the next pair of brackets holds, which is then behind.
  std::optional<StringRef> takeBrackets() {
    const size_t Open = Rest.find('['), Close = Rest.find(']');
    if (Open == StringRef::npos || Close == StringRef::npos || Close < Open)
      return std::nullopt;
    const StringRef Inside = Rest.slice(Open + 1, Close).trim();
    Rest = Rest.drop_front(Close + 1).ltrim();
    Rest.consume_front(",");
    return Inside;
  }

  StringRef takeWord() {
    auto [Word, After] = Rest.split(',');
    Rest = After;
    return Word.trim();
  }

private:
  StringRef Rest;
};

} // namespace

static AsmAddressText addressText(StringRef Text) {
  auto [Base, Offset] = Text.split('+');
  AsmAddressText A;
  A.Base = Base.trim();
  if (!Offset.empty() && Offset.trim().getAsInteger(0, A.OffsetBytes))
    A.OffsetBytes = 0;
  return A;
}

/// "$1, {$2, 0}" or "$1": the object, and its coordinates.
static void readPlace(StringRef Text, PlacedAccess &A) {
  auto [Object, List] = Text.split('{');
  A.Object = addressText(Object.rtrim(" ,"));
  if (List.empty())
    return;
  SmallVector<StringRef, 5> Parts;
  List.split('}').first.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts)
    A.Coordinates.push_back(Part.trim());
}

/// The dimensions among \p Words: "2d".
static unsigned rankOf(ArrayRef<StringRef> Words) {
  for (StringRef Word : Words)
    if (Word.size() == 2 && isDigit(Word[0]) && Word[1] == 'd')
      return unsigned(Word[0] - '0');
  return 0;
}

static std::optional<PlacedAccess> decodeBulk(ArrayRef<StringRef> Words,
                                              OperandText Operands) {
  // Side by side in the mnemonic: where to, where from.
  SmallVector<StringRef, 2> Sides;
  for (StringRef Word : Words)
    if (Word == "global" || Word.starts_with("shared::"))
      Sides.push_back(Word);
  const bool IsPrefetch = is_contained(Words, "prefetch");
  const bool IsTensor = is_contained(Words, "tensor");
  const bool ToGlobal =
      !IsPrefetch && !Sides.empty() && Sides.front() == "global";
  if (!IsTensor && !is_contained(Sides, "global"))
    return std::nullopt;
  PlacedAccess A;
  std::optional<StringRef> First = Operands.takeBrackets();
  if (!First)
    return std::nullopt;
  if (IsPrefetch) {
    readPlace(*First, A);
  } else {
    std::optional<StringRef> Second = Operands.takeBrackets();
    if (!Second)
      return std::nullopt;
    readPlace(ToGlobal ? *First : *Second, A);
    A.Shared = addressText(ToGlobal ? *Second : *First);
  }
  if (!IsTensor)
    A.Bytes = Operands.takeWord();
  if (IsTensor &&
      (A.Coordinates.empty() || A.Coordinates.size() > MostDimensions ||
       rankOf(Words) != A.Coordinates.size()))
    return std::nullopt;
  if (!IsPrefetch && !ToGlobal)
    if (std::optional<StringRef> Barrier = Operands.takeBrackets())
      A.Barrier = *Barrier;
  A.IsMulticast = is_contained(Words, "multicast::cluster");
  const bool Reduces = Words[1] == "reduce";
  A.Kind = Reduces    ? AccessKind::Reduction
           : ToGlobal ? AccessKind::Store
                      : AccessKind::AsyncCopy;
  if (Reduces)
    A.AtomicOp = "add";
  return A;
}

static std::optional<PlacedAccess> decodeFetch(ArrayRef<StringRef> Words,
                                               OperandText Operands) {
  const unsigned Rank = rankOf(Words);
  PlacedAccess A;
  A.Space = MemorySpace::Texture;
  A.Kind = AccessKind::Load;
  A.AreFloats = Words.back() == "f32";
  std::optional<StringRef> Place = Operands.takeBrackets();
  if (!Place || Rank == 0 || Rank > 3)
    return std::nullopt;
  readPlace(*Place, A);
  // A sampler of its own comes behind the texture; a fourth coordinate of
  // volumes means nothing.
  if (A.Coordinates.size() < Rank || A.Object.Base.contains(','))
    return std::nullopt;
  A.Coordinates.truncate(Rank);
  return A;
}

std::optional<PlacedAccess> gpuocc::decodePlacedAccess(const AsmStatement &S) {
  if (!S.Guard.empty())
    return std::nullopt;
  const StringRef M = S.Mnemonic;
  const bool IsBulk = (M.starts_with("cp.async.bulk.") ||
                       M.starts_with("cp.reduce.async.bulk.")) &&
                      !M.contains("commit_group") && !M.contains("wait_group");
  if (IsBulk)
    return decodeBulk(mnemonicWords(M), OperandText(S.Operands));
  if (M.starts_with("tex.") || M.starts_with("tld4."))
    return decodeFetch(mnemonicWords(M), OperandText(S.Operands));
  return std::nullopt;
}

static ArrayRef<CoordinatePiece> piecesOf(const PlacedAccess &A) {
  const unsigned Rank = unsigned(A.Coordinates.size());
  return A.Space == MemorySpace::Texture ? texturePieces(Rank)
                                         : tensorPieces(Rank);
}

/// Operations that make a coordinate a whole number, or a count of bytes.
static unsigned numPreparations(const PlacedAccess &A) {
  return A.Space == MemorySpace::Texture
             ? (A.AreFloats ? unsigned(A.Coordinates.size()) : 0) + 1
             : 0;
}

unsigned gpuocc::numPlaceOperations(const PlacedAccess &A) {
  if (A.Coordinates.empty())
    return 0;
  // A field is taken out and put in.
  return numPreparations(A) + 2 * unsigned(piecesOf(A).size());
}

Operand gpuocc::fillPlace(const PlacedAccess &A, unsigned ElementBytes,
                          KernelFacts &Facts, uint32_t First, uint64_t Object,
                          ArrayRef<Operand> Coordinates,
                          const Operation &Like) {
  auto Imm = [](uint64_t V) { return Operand::immediate(int64_t(V)); };
  auto Add = [&](Semantics What, unsigned Bits,
                 std::initializer_list<Operand> Operands) -> Operation & {
    Operation &Op = Facts.Operations[First++];
    Op.Opcode = Like.Opcode + " (place)";
    Op.What = What;
    Op.Bits = uint8_t(Bits);
    Op.Operands.assign(Operands);
    Op.Block = Like.Block;
    Op.Location = Like.Location;
    return Op;
  };
  SmallVector<Operand, 5> Whole(Coordinates);
  if (A.AreFloats)
    for (Operand &C : Whole) {
      Operation &Op = Add(Semantics::FToS, 32, {C});
      Op.FromBits = 32;
      Op.Imm = int64_t(IntegerRounding::Down);
      C = Operand::value(First - 1);
    }
  if (A.Space == MemorySpace::Texture) {
    Add(Semantics::Shl, 32, {Whole[0], Imm(Log2_32(ElementBytes))});
    Whole[0] = Operand::value(First - 1);
  }
  Operand Place = Imm(Object << CoordinateBits);
  for (const CoordinatePiece &P : piecesOf(A)) {
    Add(Semantics::BfeU, 32, {Whole[P.Dimension], Imm(P.From), Imm(P.Bits)});
    Add(Semantics::Bfi, 64,
        {Operand::value(First - 1), Place, Imm(P.To), Imm(P.Bits)});
    Place = Operand::value(First - 1);
  }
  return Place;
}

uint64_t gpuocc::numberOfObject(const KernelFacts &Facts, Operand O,
                                int64_t OffsetBytes) {
  // Above the numbers of arrays and of spaces, by where the map comes from: a
  // symbol, a parameter, and what else computes it.
  constexpr uint64_t OfSymbol = 0x10000, OfParameter = 0x20000,
                     OfValue = 0x30000, Mask = 0xffff;
  for (unsigned Step = 0; Step != 8; ++Step) {
    const Operation *Op = Facts.operationOf(O);
    if (!Op)
      break;
    switch (Op->What) {
    case Semantics::SymbolAddress:
      return OfSymbol |
             ((uint64_t(Op->Imm + OffsetBytes) / 16 +
               (Op->Operands.empty() ? 0 : Op->Operands[0].Index) * 4096) &
              Mask);
    case Semantics::Param:
      return OfParameter | ((uint64_t(Op->Imm + OffsetBytes) / 4) & Mask);
    case Semantics::Copy:
    case Semantics::Add:
      if (!Op->Operands.empty() && Op->Operands[0].isValue()) {
        // Maps in one structure differ by what is added.
        if (Op->Operands.size() == 2 && Op->Operands[1].isImmediate())
          OffsetBytes += Op->Operands[1].Imm;
        O = Op->Operands[0];
        continue;
      }
      break;
    default:
      break;
    }
    break;
  }
  return OfValue | (uint64_t(O.Index) & Mask);
}

namespace {

/// The part of the address of a barrier that is known: barriers of the stages
/// of a pipeline differ by what is not.
struct BarrierRoot {
  int64_t Bytes = 0;
  uint64_t Symbols = 0;
  bool operator==(const BarrierRoot &) const = default;
};

class RootFinder {
public:
  explicit RootFinder(const KernelFacts &Facts) : Facts(Facts) {}

  BarrierRoot of(const Operand &O) {
    Left = 64;
    Root = BarrierRoot();
    add(O);
    return Root;
  }

private:
  void add(const Operand &O) {
    if (Left-- == 0) {
      Left = 0;
      return;
    }
    if (O.isImmediate())
      Root.Bytes += O.Imm;
    if (O.K == Operand::Kind::Symbol)
      Root.Symbols += O.Index + 1;
    const Operation *Op = Facts.operationOf(O);
    if (!Op || Op->Operands.empty())
      return;
    switch (Op->What) {
    case Semantics::Add:
      add(Op->Operands[0]);
      if (Op->Operands.size() > 1)
        add(Op->Operands[1]);
      break;
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      add(Op->Operands[2]);
      break;
    case Semantics::SymbolAddress:
      Root.Bytes += Op->Imm;
      add(Op->Operands[0]);
      break;
    // What aligns an address, extends it, or goes round the stages.
    case Semantics::And:
    case Semantics::Copy:
    case Semantics::ZExt:
    case Semantics::SExt:
    case Semantics::Trunc:
    case Semantics::Phi:
      add(Op->Operands[0]);
      break;
    default:
      break;
    }
  }

  const KernelFacts &Facts;
  BarrierRoot Root;
  unsigned Left = 0;
};

} // namespace

/// Bytes of a copy where nothing says how many: a tile of 64 rows of 128 bytes.
static constexpr unsigned AssumedTileBytes = 8192;

/// What is known of the barriers that operations use, by operation.
using BarrierRoots = DenseMap<uint32_t, BarrierRoot>;

/// Of the operations that say how many bytes a barrier expects, for which
/// \p IsAsked: the last one before \p Copy in its loop, or else the first one
/// behind it. NoIndex for none.
static uint32_t nearestExpectation(const KernelFacts &Facts, uint32_t Copy,
                                   function_ref<bool(uint32_t Op)> IsAsked) {
  uint32_t Behind = NoIndex, Before = NoIndex;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    if (Op.What != Semantics::ExpectBytes || Op.Imm <= 0 || !IsAsked(I))
      continue;
    // In the loop of the copy, or the same straight code.
    if (Facts.Blocks[Op.Block].Loop !=
        Facts.Blocks[Facts.Operations[Copy].Block].Loop)
      continue;
    if (I < Copy)
      Before = I;
    else if (Behind == NoIndex)
      Behind = I;
  }
  return Before != NoIndex ? Before : Behind;
}

/// The operation that says how many bytes the barrier of a tensor copy expects:
/// one of that barrier, or else of any. NoIndex for none.
static uint32_t expectationOf(const KernelFacts &Facts,
                              const BarrierRoots &Roots, uint32_t Copy) {
  if (auto Of = Roots.find(Copy); Of != Roots.end()) {
    const uint32_t Found = nearestExpectation(
        Facts, Copy, [&](uint32_t I) { return Roots.lookup(I) == Of->second; });
    if (Found != NoIndex)
      return Found;
  }
  return nearestExpectation(Facts, Copy, [](uint32_t) { return true; });
}

void gpuocc::resolveBulkCopies(ArrayRef<BarrierUse> Uses, KernelFacts &Facts) {
  RootFinder Finder(Facts);
  BarrierRoots Roots;
  for (const BarrierUse &U : Uses)
    Roots[U.Op] = Finder.of(U.Barrier);
  SmallVector<BarrierRoot, 4> OfCopies;
  for (const BarrierUse &U : Uses)
    if (Facts.Operations[U.Op].What != Semantics::WaitBarrier)
      OfCopies.push_back(Roots[U.Op]);
  const bool HasCopies = !OfCopies.empty();
  bool SomeMatch = false;
  for (const BarrierUse &U : Uses)
    if (Operation &Op = Facts.Operations[U.Op];
        Op.What == Semantics::WaitBarrier) {
      Op.Imm = HasCopies && is_contained(OfCopies, Roots[U.Op]);
      SomeMatch |= Op.Imm != 0;
    }
  // Where no wait is known to be for copies, all may be.
  for (const BarrierUse &U : Uses)
    if (Operation &Op = Facts.Operations[U.Op];
        Op.What == Semantics::WaitBarrier && HasCopies && !SomeMatch)
      Op.Imm = 1;

  // Copies share what their barrier expects of them.
  const auto IsTile = [](const MemoryAccess &A) {
    return A.Bulk && A.BytesPerLane == 0;
  };
  SmallVector<uint32_t, 8> Expectations(Facts.Accesses.size(), NoIndex);
  for (auto [A, Expected] : zip_equal(Facts.Accesses, Expectations))
    if (IsTile(A) && A.Kind == AccessKind::AsyncCopy)
      Expected = expectationOf(Facts, Roots, A.Op);
  for (auto [A, Expected] : zip_equal(Facts.Accesses, Expectations)) {
    if (!IsTile(A))
      continue;
    A.WidthAssumed = Expected == NoIndex;
    A.BytesPerLane =
        A.WidthAssumed
            ? AssumedTileBytes
            : unsigned(Facts.Operations[Expected].Imm /
                       std::max<ptrdiff_t>(1, count(Expectations, Expected)));
  }
}
