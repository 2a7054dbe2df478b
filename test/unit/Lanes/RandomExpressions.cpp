//===- RandomExpressions.cpp - Lanes against one thread at a time ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random address expressions, evaluated by the room and by an interpreter
/// that follows one thread at a time. Where the room says exact, the figures
/// must be equal.
///
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

constexpr unsigned Seed = 20240613;

/// A thread of a small launch.
struct Thread {
  Dim3 Block, Tid;
  Dim3 BlockSize, GridSize;
  std::map<unsigned, int64_t> Arguments;
  unsigned lane() const {
    return unsigned((Tid.X + BlockSize.X * (Tid.Y + BlockSize.Y * Tid.Z)) % 32);
  }
};

/// Follows definitions backwards for one thread of a warp.
class Interpreter {
public:
  Interpreter(const KernelFacts &Facts, const std::vector<Thread> &Warp,
              uint64_t LoopCounter)
      : Facts(Facts), Warp(Warp), LoopCounter(LoopCounter) {}

  uint64_t value(const Operand &O, unsigned Lane) {
    if (O.isImmediate())
      return uint64_t(O.Imm);
    auto [It, New] = Known.try_emplace({O.Index, Lane}, 0);
    if (New) {
      uint64_t V = compute(Facts.Operations[O.Index], Lane);
      Known[{O.Index, Lane}] = V;
      return V;
    }
    return It->second;
  }

private:
  static uint64_t mask(uint64_t V, unsigned Bits) {
    return Bits == 64 ? V : V & ((uint64_t(1) << Bits) - 1);
  }
  static int64_t sign(uint64_t V, unsigned Bits) {
    V = mask(V, Bits);
    if (Bits < 64 && (V >> (Bits - 1)) & 1)
      V |= ~uint64_t(0) << Bits;
    return int64_t(V);
  }

  uint64_t compute(const Operation &Op, unsigned Lane) {
    const Thread &T = Warp[Lane];
    const unsigned Bits = Op.Bits;
    auto U = [&](unsigned I) {
      return mask(value(Op.Operands[I], Lane), Bits);
    };
    auto S = [&](unsigned I) {
      return sign(value(Op.Operands[I], Lane), Bits);
    };
    auto Half = [&](unsigned I) {
      return mask(value(Op.Operands[I], Lane), Bits / 2);
    };
    auto HalfS = [&](unsigned I) {
      return uint64_t(sign(value(Op.Operands[I], Lane), Bits / 2));
    };
    switch (Op.What) {
    case Semantics::SReg:
      return special(Op.SReg, T);
    case Semantics::Param: {
      unsigned Index = unsigned(Op.Imm / 8);
      // Pointers begin at zero: only differences and alignment count.
      return Facts.Parameters[Index].IsPointer
                 ? 0
                 : mask(uint64_t(T.Arguments.at(Index)), Bits);
    }
    case Semantics::SymbolAddress:
      return 0;
    case Semantics::Phi:
      return mask(uint64_t(sign(value(Op.Operands[0], Lane), Bits)) +
                      LoopCounter,
                  Bits);
    case Semantics::Add:
      return mask(U(0) + U(1), Bits);
    case Semantics::Sub:
      return mask(U(0) - U(1), Bits);
    case Semantics::Mul:
      return mask(U(0) * U(1), Bits);
    case Semantics::Mad:
      return mask(U(0) * U(1) + U(2), Bits);
    case Semantics::MulWideS:
      return mask(HalfS(0) * HalfS(1), Bits);
    case Semantics::MulWideU:
      return mask(Half(0) * Half(1), Bits);
    case Semantics::MadWideS:
      return mask(HalfS(0) * HalfS(1) + value(Op.Operands[2], Lane), Bits);
    case Semantics::MulHiU:
      return (U(0) * U(1)) >> 32;
    case Semantics::MulHiS:
      return mask(uint64_t((S(0) * S(1)) >> 32), 32);
    case Semantics::DivU:
      return U(1) ? U(0) / U(1) : mask(~uint64_t(0), Bits);
    case Semantics::RemU:
      return U(1) ? U(0) % U(1) : U(0);
    case Semantics::DivS:
      return S(1) ? mask(uint64_t(S(0) / S(1)), Bits)
                  : mask(~uint64_t(0), Bits);
    case Semantics::RemS:
      return S(1) ? mask(uint64_t(S(0) % S(1)), Bits) : U(0);
    case Semantics::Shl:
      return U(1) >= Bits ? 0 : mask(U(0) << U(1), Bits);
    case Semantics::ShrU:
      return U(1) >= Bits ? 0 : U(0) >> U(1);
    case Semantics::ShrS:
      return mask(uint64_t(S(0) >> std::min<uint64_t>(U(1), Bits - 1)), Bits);
    case Semantics::FunnelL:
      return mask(((U(1) << 32 | U(0)) << (U(2) % 32)) >> 32, 32);
    case Semantics::FunnelR:
      return mask((U(1) << 32 | U(0)) >> (U(2) % 32), 32);
    case Semantics::And:
      return U(0) & U(1);
    case Semantics::Or:
      return U(0) | U(1);
    case Semantics::Xor:
      return U(0) ^ U(1);
    case Semantics::Not:
      return mask(~U(0), Bits);
    case Semantics::Neg:
      return mask(-U(0), Bits);
    case Semantics::Abs:
      return mask(uint64_t(std::llabs(S(0))), Bits);
    case Semantics::MinS:
      return mask(uint64_t(std::min(S(0), S(1))), Bits);
    case Semantics::MaxS:
      return mask(uint64_t(std::max(S(0), S(1))), Bits);
    case Semantics::MinU:
      return std::min(U(0), U(1));
    case Semantics::MaxU:
      return std::max(U(0), U(1));
    case Semantics::Select:
      return value(Op.Operands[2], Lane) & 1 ? U(0) : U(1);
    case Semantics::Compare:
      return holds(Op.Compare, U(0), U(1), S(0), S(1));
    case Semantics::BfeU: {
      uint64_t Pos = U(1) & 255, Len = U(2) & 255, R = 0;
      for (uint64_t I = 0; I < Len && Pos + I < Bits; ++I)
        R |= ((U(0) >> (Pos + I)) & 1) << I;
      return R;
    }
    case Semantics::Bfi: {
      uint64_t Pos = U(2) & 255, Len = U(3) & 255, R = U(1);
      for (uint64_t I = 0; I < Len && Pos + I < Bits; ++I) {
        uint64_t Bit = uint64_t(1) << (Pos + I);
        R = (R & ~Bit) | (((U(0) >> I) & 1) ? Bit : 0);
      }
      return R;
    }
    case Semantics::Popc: {
      uint64_t N = 0;
      for (uint64_t V = U(0); V; V >>= 1)
        N += V & 1;
      return N;
    }
    case Semantics::Clz: {
      unsigned N = 0;
      while (N < Bits && !((U(0) >> (Bits - 1 - N)) & 1))
        ++N;
      return N;
    }
    case Semantics::Shuffle:
      // Built with whole-warp segments only.
      return value(Op.Operands[0], Op.Shuffle == ShuffleKind::Bfly
                                       ? Lane ^ unsigned(Op.Operands[1].Imm)
                                       : unsigned(Op.Operands[1].Imm));
    case Semantics::Ballot: {
      uint64_t M = 0;
      for (unsigned L = 0; L < Warp.size(); ++L)
        M |= (value(Op.Operands[0], L) & 1) << L;
      return M;
    }
    default:
      ADD_FAILURE() << "not interpreted: " << int(Op.What);
      return 0;
    }
  }

  static uint64_t special(SpecialReg R, const Thread &T) {
    switch (R) {
    case SpecialReg::TidX:
      return T.Tid.X;
    case SpecialReg::TidY:
      return T.Tid.Y;
    case SpecialReg::CtaIdX:
      return T.Block.X;
    case SpecialReg::NTidX:
      return T.BlockSize.X;
    case SpecialReg::NCtaIdX:
      return T.GridSize.X;
    case SpecialReg::LaneId:
      return T.lane();
    default:
      ADD_FAILURE() << "not interpreted";
      return 0;
    }
  }

  static bool holds(ComparePredicate P, uint64_t A, uint64_t B, int64_t SA,
                    int64_t SB) {
    switch (P) {
    case ComparePredicate::EQ:
      return A == B;
    case ComparePredicate::NE:
      return A != B;
    case ComparePredicate::LTS:
      return SA < SB;
    case ComparePredicate::GES:
      return SA >= SB;
    case ComparePredicate::GTU:
      return A > B;
    case ComparePredicate::LEU:
      return A <= B;
    default:
      ADD_FAILURE() << "not interpreted";
      return false;
    }
  }

  const KernelFacts &Facts;
  const std::vector<Thread> &Warp;
  uint64_t LoopCounter;
  std::map<std::pair<uint32_t, unsigned>, uint64_t> Known;
};

/// Grows random 32-bit expressions.
class Generator {
public:
  Generator(FactsBuilder &B, std::mt19937 &Random) : B(B), Random(Random) {}

  std::vector<Operand> Leaves;
  /// Reading a lane that is not there is not defined.
  bool WholeWarps = true;

  unsigned pick(unsigned N) { return unsigned(Random() % N); }

  Operand expression(unsigned Depth) {
    if (Depth == 0 || pick(8) == 0)
      return leaf();
    auto E = [&] { return expression(Depth - 1); };
    auto Small = [&] { return B.imm(int64_t(pick(12))); };
    static constexpr Semantics Binary[] = {
        Semantics::Add,   Semantics::Add,  Semantics::Sub,  Semantics::Mul,
        Semantics::And,   Semantics::Or,   Semantics::Xor,  Semantics::MinS,
        Semantics::MaxS,  Semantics::MinU, Semantics::MaxU, Semantics::MulHiU,
        Semantics::MulHiS};
    switch (pick(14)) {
    case 0:
      return B.op(Semantics::Shl, 32, {E(), Small()});
    case 1:
      return B.op(Semantics::ShrU, 32, {E(), Small()});
    case 2:
      return B.op(Semantics::ShrS, 32, {E(), Small()});
    case 3:
      return B.op(pick(2) ? Semantics::DivU : Semantics::RemU, 32,
                  {E(), B.imm(1 + pick(40))});
    case 4:
      return B.op(pick(2) ? Semantics::DivS : Semantics::RemS, 32,
                  {E(), B.imm(1 + pick(40))});
    case 5:
      return B.op(Semantics::Mad, 32, {E(), Small(), E()});
    case 6: {
      static constexpr ComparePredicate P[] = {
          ComparePredicate::EQ,  ComparePredicate::NE,  ComparePredicate::LTS,
          ComparePredicate::GES, ComparePredicate::GTU, ComparePredicate::LEU};
      Operand C = B.compare(P[pick(6)], E(), E());
      if (pick(4) == 0)
        return B.op(Semantics::Ballot, 32, {C});
      return B.op(Semantics::Select, 32, {E(), E(), C});
    }
    case 7:
      return B.op(Semantics::BfeU, 32, {E(), Small(), Small()});
    case 8:
      return B.op(Semantics::Bfi, 32, {E(), E(), Small(), Small()});
    case 9: {
      static constexpr Semantics Unary[] = {Semantics::Not, Semantics::Neg,
                                            Semantics::Abs, Semantics::Popc,
                                            Semantics::Clz};
      return B.op(Unary[pick(5)], 32, {E()});
    }
    case 10: {
      if (!WholeWarps)
        return leaf();
      Operand X =
          B.op(Semantics::Shuffle, 32, {E(), B.imm(pick(32)), B.imm(31)});
      B.Facts.Operations[X.Index].Shuffle =
          pick(2) ? ShuffleKind::Bfly : ShuffleKind::Idx;
      return X;
    }
    case 11:
      return B.op(pick(2) ? Semantics::FunnelL : Semantics::FunnelR, 32,
                  {E(), E(), Small()});
    default:
      return B.op(Binary[pick(13)], 32, {E(), E()});
    }
  }

private:
  Operand leaf() {
    if (pick(4) == 0)
      return B.imm(int64_t(pick(3) ? pick(64) : Random()));
    return Leaves[pick(unsigned(Leaves.size()))];
  }

  FactsBuilder &B;
  std::mt19937 &Random;
};

struct Case {
  KernelFacts Facts;
  Dim3 Grid, Block;
  unsigned Bytes = 4;
  uint64_t Trips = 1;
  MemorySpace Space = MemorySpace::Global;
};

/// A kernel with one access, in a loop if \p Trips is more than one. Argument
/// 1 is an integer.
Case makeCase(std::mt19937 &Random) {
  static constexpr Dim3 Shapes[] = {{64, 1, 1}, {8, 8, 1},  {32, 2, 1},
                                    {16, 4, 1}, {33, 3, 1}, {4, 4, 1}};
  Case C;
  C.Block = Shapes[Random() % 6];
  C.Grid = {1 + Random() % 3, 1, 1};
  C.Bytes = 1u << (Random() % 5);
  C.Trips = Random() % 3 == 0 ? 2 + Random() % 12 : 1;
  C.Space = Random() % 4 == 0 ? MemorySpace::Shared : MemorySpace::Global;
  FactsBuilder B;
  Generator G(B, Random);
  G.WholeWarps = C.Block.count() % 32 == 0;
  Operand Base = B.pointer("a"), N = B.integer("n");
  if (C.Space == MemorySpace::Shared)
    Base = B.shared("tile", 1 << 20);
  G.Leaves = {B.tidX(),
              B.tidY(),
              B.tidX(),
              B.globalX(),
              B.sreg(SpecialReg::LaneId),
              B.sreg(SpecialReg::CtaIdX),
              B.sreg(SpecialReg::NCtaIdX),
              N};
  auto Access = [&] {
    // Natural alignment, as the language demands.
    Operand Index = B.op(Semantics::And, 32,
                         {G.expression(1 + Random() % 4), B.imm(0xffff)});
    B.load(C.Space, B.element(Base, Index, C.Bytes), C.Bytes,
           int64_t(C.Bytes * (Random() % 4)));
  };
  if (C.Trips > 1)
    B.loop(B.imm(0), B.imm(int64_t(C.Trips)), B.imm(1), [&](Operand I) {
      G.Leaves.push_back(I);
      Access();
    });
  else
    Access();
  C.Facts = B.finish();
  return C;
}

struct Figures {
  double Sectors = 0, Lines = 0, Distinct = 0, Lanes = 0, Wavefronts = 0;
  double Requests = 0;
};

/// Counts what every warp of the launch does, one thread at a time.
Figures countDirectly(const Case &C, int64_t N) {
  Figures F;
  const MemoryAccess &A = C.Facts.Accesses[0];
  uint64_t Threads = C.Block.count();
  for (uint64_t Block = 0; Block < C.Grid.X; ++Block)
    for (uint64_t First = 0; First < Threads; First += 32) {
      std::vector<Thread> Warp;
      for (uint64_t T = First; T < std::min(First + 32, Threads); ++T)
        Warp.push_back({{Block, 0, 0},
                        {T % C.Block.X, T / C.Block.X % C.Block.Y, 0},
                        C.Block,
                        C.Grid,
                        {{1, N}}});
      for (uint64_t Trip = 0; Trip < C.Trips; ++Trip) {
        Interpreter I(C.Facts, Warp, Trip);
        std::set<uint64_t> Sectors, Lines, Addresses;
        std::map<uint64_t, std::set<uint64_t>> Banks;
        for (unsigned L = 0; L < Warp.size(); ++L) {
          uint64_t Address = I.value(A.Base, L) + uint64_t(A.OffsetBytes);
          Addresses.insert(Address);
          for (unsigned Byte = 0; Byte < C.Bytes; ++Byte) {
            Sectors.insert((Address + Byte) / 32);
            Lines.insert((Address + Byte) / 128);
            Banks[(Address + Byte) / 4 % 32].insert((Address + Byte) / 4);
          }
        }
        F.Sectors += double(Sectors.size());
        F.Lines += double(Lines.size());
        F.Distinct += double(Addresses.size());
        F.Lanes += double(Warp.size());
        size_t Most = 0;
        for (auto &[Bank, Words] : Banks)
          Most = std::max(Most, Words.size());
        F.Wavefronts += double(Most);
        F.Requests += 1;
      }
    }
  for (double *X : {&F.Sectors, &F.Lines, &F.Distinct, &F.Lanes, &F.Wavefronts})
    *X /= F.Requests;
  return F;
}

void expectEqual(const Case &C, const AccessProfile &P, const Figures &F) {
  EXPECT_NEAR(P.ActiveLanes, F.Lanes, 1e-6);
  EXPECT_NEAR(P.DistinctAddressesPerRequest, F.Distinct, 1e-6);
  if (C.Space == MemorySpace::Global) {
    EXPECT_NEAR(P.SectorsPerRequest, F.Sectors, 1e-6);
    EXPECT_NEAR(P.LinesPerRequest, F.Lines, 1e-6);
  } else if (C.Bytes <= 4) {
    EXPECT_NEAR(P.WavefrontsPerRequest, F.Wavefronts, 1e-6);
  }
}

TEST(RandomExpressions, LanesAgreeWithThreads) {
  std::mt19937 Random(Seed);
  for (unsigned I = 0; I < 2000 && !HasFailure(); ++I) {
    SCOPED_TRACE("seed " + std::to_string(Seed) + ", case " +
                 std::to_string(I));
    Case C = makeCase(Random);
    int64_t N = int64_t(Random() % 5000);
    Launch L = launch(C.Grid, C.Block);
    setArgument(L, 1, N);
    ExecutionProfile P =
        profileLanes(C.Facts, L, MemoryGeometry(), LanesOptions());
    // Everything is given, so everything is exact.
    EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact) << P.Accesses[0].Reason;
    expectEqual(C, P.Accesses[0], countDirectly(C, N));
  }
}

TEST(RandomExpressions, ExactHoldsForEveryArgument) {
  std::mt19937 Random(Seed + 1);
  unsigned Exact = 0;
  for (unsigned I = 0; I < 800 && !HasFailure(); ++I) {
    SCOPED_TRACE("seed " + std::to_string(Seed + 1) + ", case " +
                 std::to_string(I));
    Case C = makeCase(Random);
    ExecutionProfile P = profileLanes(C.Facts, launch(C.Grid, C.Block),
                                      MemoryGeometry(), LanesOptions());
    if (P.Accesses[0].Exact != Exactness::Exact)
      continue;
    ++Exact;
    // Offsets are cut to 16 bits, so an unknown addend may wrap there; the
    // claim is about addresses that do not.
    for (int64_t N : {0, 1, 7, 100})
      expectEqual(C, P.Accesses[0], countDirectly(C, N));
  }
  EXPECT_GT(Exact, 200u);
}

} // namespace
