//===- FactsBuilder.h - Kernel facts written by hand -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Builds KernelFacts operation by operation, and finds loops and immediate
/// post-dominators when done.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_LANES_FACTSBUILDER_H
#define GPUOCC_TEST_UNIT_LANES_FACTSBUILDER_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include <algorithm>
#include <set>

namespace gpuocc::test {

class FactsBuilder {
public:
  KernelFacts Facts;

  FactsBuilder() { newBlock(); }

  // Values.
  static Operand imm(int64_t V) { return Operand::immediate(V); }
  Operand op(Semantics What, unsigned Bits, std::vector<Operand> Operands) {
    Operation O;
    O.What = What;
    O.Bits = uint8_t(Bits);
    O.Operands.assign(Operands.begin(), Operands.end());
    return push(std::move(O));
  }
  Operand sreg(SpecialReg R) {
    Operation O;
    O.What = Semantics::SReg;
    O.SReg = R;
    return push(std::move(O));
  }
  Operand tidX() { return sreg(SpecialReg::TidX); }
  Operand tidY() { return sreg(SpecialReg::TidY); }
  /// blockIdx.x * blockDim.x + threadIdx.x.
  Operand globalX() {
    return op(Semantics::Mad, 32,
              {sreg(SpecialReg::CtaIdX), sreg(SpecialReg::NTidX), tidX()});
  }
  Operand globalY() {
    return op(Semantics::Mad, 32,
              {sreg(SpecialReg::CtaIdY), sreg(SpecialReg::NTidY), tidY()});
  }
  Operand add(Operand A, Operand B, unsigned Bits = 32) {
    return op(Semantics::Add, Bits, {A, B});
  }
  Operand mul(Operand A, Operand B, unsigned Bits = 32) {
    return op(Semantics::Mul, Bits, {A, B});
  }
  Operand mad(Operand A, Operand B, Operand C) {
    return op(Semantics::Mad, 32, {A, B, C});
  }
  Operand compare(ComparePredicate P, Operand A, Operand B,
                  unsigned Bits = 32) {
    Operation O;
    O.What = Semantics::Compare;
    O.Compare = P;
    O.Bits = uint8_t(Bits);
    O.Operands = {A, B};
    return push(std::move(O));
  }
  Operand opaque(std::vector<Operand> Operands, unsigned Bits = 32) {
    return op(Semantics::Opaque, Bits, std::move(Operands));
  }
  /// A phi with its first value; addIncoming gives the others.
  Operand phi(Operand First, uint32_t From, unsigned Bits = 32) {
    Operation O;
    O.What = Semantics::Phi;
    O.Bits = uint8_t(Bits);
    O.Operands = {First};
    O.PhiBlocks = {From};
    return push(std::move(O));
  }
  void addIncoming(Operand Phi, Operand Value, uint32_t From) {
    Facts.Operations[Phi.Index].Operands.push_back(Value);
    Facts.Operations[Phi.Index].PhiBlocks.push_back(From);
  }

  // Parameters and symbols.
  Operand pointer(const char *Name, uint64_t Align = 1) {
    return parameter(Name, 8, true, Align);
  }
  Operand integer(const char *Name, unsigned Bytes = 4) {
    return parameter(Name, Bytes, false, 1);
  }
  Operand shared(const char *Name, uint64_t Bytes, uint64_t Offset = 0) {
    return symbol(Name, MemorySpace::Shared, Bytes, Offset);
  }
  Operand symbol(const char *Name, MemorySpace Space, uint64_t Bytes,
                 uint64_t Offset = 0) {
    Symbol S;
    S.Name = Name;
    S.Space = Space;
    S.SizeBytes = Bytes;
    S.OffsetBytes = Offset;
    Facts.Symbols.push_back(S);
    if (Space == MemorySpace::Shared)
      Facts.StaticSharedBytes += Bytes;
    Operation O;
    O.What = Semantics::SymbolAddress;
    O.Bits = 64;
    O.Operands = {Operand::symbol(uint32_t(Facts.Symbols.size() - 1))};
    return push(std::move(O));
  }

  // Memory. An element address is Base + Index * Scale.
  Operand element(Operand Base, Operand Index, int64_t Scale) {
    return op(Semantics::MadWideS, 64, {Index, imm(Scale), Base});
  }
  Operand load(MemorySpace Space, Operand Base, unsigned Bytes,
               int64_t Offset = 0, Operand Guard = Operand()) {
    Operation O;
    O.What = Semantics::Load;
    O.Bits = uint8_t(std::min(Bytes, 8u) * 8);
    O.Guard = Guard;
    return access(std::move(O), Space, AccessKind::Load, Base, Bytes, Offset);
  }
  Operand store(MemorySpace Space, Operand Base, unsigned Bytes,
                int64_t Offset = 0) {
    return access(Operation(), Space, AccessKind::Store, Base, Bytes, Offset);
  }
  Operand atomic(MemorySpace Space, Operand Base, unsigned Bytes) {
    Operation O;
    O.What = Semantics::Load;
    return access(std::move(O), Space, AccessKind::Atomic, Base, Bytes, 0);
  }

  // Control.
  uint32_t current() const { return Current; }
  /// Creates a block and makes it the current one; blocks are laid out in the
  /// order of their creation.
  uint32_t newBlock() {
    Facts.Blocks.emplace_back();
    Current = uint32_t(Facts.Blocks.size() - 1);
    Facts.Blocks[Current].FirstOp = uint32_t(Facts.Operations.size());
    return Current;
  }
  void jump(uint32_t From, uint32_t To) {
    Facts.Blocks[From].Successors = {To};
  }
  /// \p IfTrue or \p IfFalse may be NoIndex: lanes exit.
  void branch(uint32_t From, Operand Condition, uint32_t IfTrue,
              uint32_t IfFalse) {
    Branch B;
    B.Block = From;
    B.Condition = Condition;
    B.Targets = {IfTrue, IfFalse};
    Facts.Blocks[From].Branch = uint32_t(Facts.Branches.size());
    Facts.Branches.push_back(B);
    for (uint32_t T : {IfTrue, IfFalse})
      if (T != NoIndex)
        Facts.Blocks[From].Successors.push_back(T);
  }

  /// `for (i = Start; i < End; i += Step)` with the test at the bottom; the
  /// current block must be its preheader and stays open after it. \p Body is
  /// called with i.
  template <typename F>
  void loop(Operand Start, Operand End, Operand Step, F Body,
            ComparePredicate Stay = ComparePredicate::LTS) {
    uint32_t Pre = Current;
    uint32_t Head = newBlock();
    jump(Pre, Head);
    Operand I = phi(Start, Pre);
    Body(I);
    Operand Next = add(I, Step);
    Operand Test = compare(Stay, Next, End);
    uint32_t Latch = Current;
    addIncoming(I, Next, Latch);
    uint32_t Exit = newBlock();
    branch(Latch, Test, Head, Exit);
  }

  /// `if (Condition) Then()`.
  template <typename F> void when(Operand Condition, F Then) {
    uint32_t Before = Current;
    uint32_t Inside = newBlock();
    Then();
    uint32_t End = Current;
    uint32_t After = newBlock();
    branch(Before, Condition, Inside, After);
    jump(End, After);
  }

  KernelFacts finish() {
    findLoops();
    findPostDominators();
    return Facts;
  }

private:
  Operand push(Operation O) {
    O.Block = Current;
    Facts.Operations.push_back(std::move(O));
    ++Facts.Blocks[Current].NumOps;
    return Operand::value(uint32_t(Facts.Operations.size() - 1));
  }

  Operand parameter(const char *Name, unsigned Bytes, bool IsPointer,
                    uint64_t Align) {
    Parameter P;
    P.Name = Name;
    P.OffsetBytes = Facts.Parameters.size() * 8;
    P.SizeBytes = Bytes;
    P.IsPointer = IsPointer;
    P.PointeeAlignBytes = Align;
    Facts.Parameters.push_back(P);
    Operation O;
    O.What = Semantics::Param;
    O.Bits = uint8_t(Bytes * 8);
    O.Imm = int64_t(P.OffsetBytes);
    return push(std::move(O));
  }

  Operand access(Operation O, MemorySpace Space, AccessKind Kind, Operand Base,
                 unsigned Bytes, int64_t Offset) {
    MemoryAccess A;
    A.Op = uint32_t(Facts.Operations.size());
    A.Space = Space;
    A.Kind = Kind;
    A.Base = Base;
    A.BytesPerLane = Bytes;
    A.OffsetBytes = Offset;
    O.Access = uint32_t(Facts.Accesses.size());
    O.Operands = {Base};
    Facts.Accesses.push_back(A);
    return push(std::move(O));
  }

  std::vector<std::set<uint32_t>> dominators() const {
    size_t N = Facts.Blocks.size();
    std::set<uint32_t> All;
    for (uint32_t I = 0; I < N; ++I)
      All.insert(I);
    std::vector<std::set<uint32_t>> Dom(N, All);
    Dom[0] = {0};
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t B = 1; B < N; ++B) {
        std::set<uint32_t> Meet = All;
        for (uint32_t P = 0; P < N; ++P)
          for (uint32_t S : Facts.Blocks[P].Successors)
            if (S == B) {
              std::set<uint32_t> Both;
              std::set_intersection(Meet.begin(), Meet.end(), Dom[P].begin(),
                                    Dom[P].end(),
                                    std::inserter(Both, Both.end()));
              Meet = Both;
            }
        Meet.insert(B);
        if (Meet != Dom[B]) {
          Dom[B] = Meet;
          Changed = true;
        }
      }
    }
    return Dom;
  }

  void findLoops() {
    std::vector<std::set<uint32_t>> Dom = dominators();
    std::vector<std::pair<uint32_t, std::set<uint32_t>>> Found;
    for (uint32_t B = 0; B < Facts.Blocks.size(); ++B)
      for (uint32_t Head : Facts.Blocks[B].Successors) {
        if (!Dom[B].count(Head))
          continue;
        std::set<uint32_t> Body = {Head};
        std::vector<uint32_t> Work = {B};
        while (!Work.empty()) {
          uint32_t X = Work.back();
          Work.pop_back();
          if (!Body.insert(X).second)
            continue;
          for (uint32_t P = 0; P < Facts.Blocks.size(); ++P)
            for (uint32_t S : Facts.Blocks[P].Successors)
              if (S == X)
                Work.push_back(P);
        }
        auto It = std::find_if(Found.begin(), Found.end(),
                               [&](auto &L) { return L.first == Head; });
        if (It == Found.end())
          Found.push_back({Head, Body});
        else
          It->second.insert(Body.begin(), Body.end());
      }
    std::sort(Found.begin(), Found.end(), [](auto &A, auto &B) {
      return A.second.size() > B.second.size();
    });
    for (auto &[Head, Body] : Found) {
      Loop L;
      L.Header = Head;
      L.Blocks = {Head};
      for (uint32_t I = 0; I < Facts.Loops.size(); ++I) {
        const Loop &Outer = Facts.Loops[I];
        if (std::count(Outer.Blocks.begin(), Outer.Blocks.end(), Head)) {
          L.Parent = I;
          L.Depth = Outer.Depth + 1;
        }
      }
      for (uint32_t B : Body) {
        if (B != Head)
          L.Blocks.push_back(B);
        for (uint32_t S : Facts.Blocks[B].Successors)
          if (S == Head)
            L.Latches.push_back(B);
        Facts.Blocks[B].Loop = uint32_t(Facts.Loops.size());
      }
      Facts.Loops.push_back(L);
    }
  }

  void findPostDominators() {
    uint32_t N = uint32_t(Facts.Blocks.size());
    std::set<uint32_t> All;
    for (uint32_t I = 0; I <= N; ++I)
      All.insert(I);
    std::vector<std::set<uint32_t>> Post(N + 1, All);
    Post[N] = {N};
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (uint32_t B = N; B-- > 0;) {
        std::vector<uint32_t> Next(Facts.Blocks[B].Successors.begin(),
                                   Facts.Blocks[B].Successors.end());
        bool Exits = Next.empty();
        if (Facts.Blocks[B].Branch != NoIndex)
          for (uint32_t T : Facts.Branches[Facts.Blocks[B].Branch].Targets)
            Exits |= T == NoIndex;
        if (Exits)
          Next.push_back(N);
        std::set<uint32_t> Meet = All;
        for (uint32_t S : Next) {
          std::set<uint32_t> Both;
          std::set_intersection(Meet.begin(), Meet.end(), Post[S].begin(),
                                Post[S].end(), std::inserter(Both, Both.end()));
          Meet = Both;
        }
        Meet.insert(B);
        if (Meet != Post[B]) {
          Post[B] = Meet;
          Changed = true;
        }
      }
    }
    for (uint32_t B = 0; B < N; ++B) {
      // The nearest strict post-dominator has the most post-dominators.
      uint32_t Nearest = N;
      for (uint32_t P : Post[B])
        if (P != B && P != N &&
            (Nearest == N || Post[P].size() > Post[Nearest].size()))
          Nearest = P;
      Facts.Blocks[B].PostDominator = Nearest == N ? NoIndex : Nearest;
    }
  }

  uint32_t Current = 0;
};

/// A launch given in full.
inline Launch launch(Dim3 Grid, Dim3 Block) {
  Launch L;
  L.Grid = Sourced<Dim3>{Grid, "test"};
  L.Block = {Block, "test"};
  return L;
}

inline void setArgument(Launch &L, unsigned Parameter, int64_t Value) {
  L.Arguments[Parameter].Value.Integer = Value;
  L.Arguments[Parameter].Source = "test";
}

} // namespace gpuocc::test

#endif // GPUOCC_TEST_UNIT_LANES_FACTSBUILDER_H
