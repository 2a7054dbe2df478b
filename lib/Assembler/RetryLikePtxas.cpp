//===- RetryLikePtxas.cpp - Atomics that ptxas makes loops of -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/ClusterAddresses.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// What the lanes compute between load and swap, where shared memory does not
/// have the operation.
static std::optional<Emission> retriedWork(const MemoryAccess &A) {
  if (A.Space != MemorySpace::Shared || !isAtomic(A.Kind) ||
      !isRetriedInShared(A))
    return std::nullopt;
  if (A.OnFloats)
    return Emission{A.BytesPerLane == 8 ? InstClass::DAdd : InstClass::FAdd, 1,
                    1};
  // Both halves; the carry is waited for.
  return A.AtomicOp == "add" ? Emission{InstClass::IAdd3, 2, 2}
                             : Emission{InstClass::Lop3, 2, 1};
}

namespace {

/// Makes a loop of one atomic: the block is cut before and behind it, and what
/// is between becomes the body.
class Retrier {
public:
  Retrier(KernelFacts &Facts, uint32_t Access, const Emission &Work)
      : Facts(Facts), Access(Access), First(Facts.Accesses[Access].Op),
        Before(Facts.Operations[First].Block), Work(Work) {}

  void run() {
    renumberOperations();
    renumberBlocks();
    insertOperations();
    cutBlock();
    addLoop();
  }

private:
  static constexpr uint32_t NumNew = 4;

  KernelFacts &Facts;
  uint32_t Access;
  /// The load, where the atomic was; behind it what is computed, the swap, the
  /// test and the branch back.
  const uint32_t First;
  uint32_t swap() const { return First + 2; }
  uint32_t test() const { return First + 3; }
  uint32_t branch() const { return First + 4; }
  /// The block of the atomic, of which what is before it stays.
  const uint32_t Before;
  uint32_t body() const { return Before + 1; }
  uint32_t behind() const { return Before + 2; }
  const Emission Work;

  /// What reads the result of the atomic reads what was loaded.
  void renumberOperations() {
    auto Move = [&](uint32_t &Op) {
      if (Op != NoIndex && Op > First)
        Op += NumNew;
    };
    auto MoveIn = [&](Operand &O) {
      if (O.isValue())
        Move(O.Index);
    };
    for (Operation &Op : Facts.Operations) {
      for_each(Op.Operands, MoveIn);
      MoveIn(Op.Guard);
    }
    for (MemoryAccess &A : Facts.Accesses) {
      Move(A.Op);
      MoveIn(A.Base);
      MoveIn(A.SharedBase);
      for_each(A.Stored, MoveIn);
    }
    for (gpuocc::Branch &B : Facts.Branches) {
      Move(B.Op);
      MoveIn(B.Condition);
    }
  }

  /// What came from the end of the block comes from behind the loop.
  void renumberBlocks() {
    auto Move = [&](uint32_t &Block) {
      if (Block != NoIndex && Block > Before)
        Block += 2;
    };
    auto MoveEnd = [&](uint32_t &Block) {
      if (Block != NoIndex && Block >= Before)
        Block += 2;
    };
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
      Operation &Op = Facts.Operations[I];
      if (Op.Block == Before ? I > First : Op.Block > Before)
        Op.Block += 2;
      for_each(Op.PhiBlocks, MoveEnd);
    }
    for (gpuocc::BasicBlock &B : Facts.Blocks) {
      for_each(B.Successors, Move);
      Move(B.PostDominator);
      Move(B.PredicatedInto);
    }
    for (gpuocc::Branch &B : Facts.Branches) {
      MoveEnd(B.Block);
      for_each(B.Targets, Move);
    }
    for (gpuocc::Loop &L : Facts.Loops) {
      Move(L.Header);
      const bool IsAround = is_contained(L.Blocks, Before);
      for_each(L.Blocks, Move);
      if (IsAround) {
        L.Blocks.push_back(body());
        L.Blocks.push_back(behind());
      }
      for_each(L.Latches, MoveEnd);
    }
  }

  void insertOperations() {
    Operation Atomic = Facts.Operations[First];
    Atomic.Block = body();
    MemoryAccess &Swap = Facts.Accesses[Access];
    MemoryAccess Loaded = Swap;
    Loaded.Op = First;
    Loaded.Kind = AccessKind::Load;
    Loaded.AtomicOp.clear();
    Loaded.OnFloats = false;

    Operation Load = Atomic;
    Load.Opcode = "LDS";
    Load.Emits = {{InstClass::LdShared, 1, 1}};
    Load.Operands.resize(1);
    Load.Access = uint32_t(Facts.Accesses.size());
    Load.NumResults = 1;

    Operation Compute = Atomic;
    Compute.Opcode = "of " + Atomic.Opcode;
    Compute.Emits = {Work};
    Compute.What = Semantics::Opaque;
    Compute.Access = NoIndex;
    Compute.NumResults = 1;
    Compute.Operands = {Operand::value(First)};
    if (Atomic.Operands.size() > 1)
      Compute.Operands.push_back(Atomic.Operands[1]);

    Atomic.NumResults = 1;
    Atomic.Operands = {Swap.Base, Operand::value(First),
                       Operand::value(First + 1)};
    Swap.Op = swap();
    Swap.Kind = AccessKind::Atomic;
    Swap.AtomicOp = "cas";
    Swap.OnFloats = false;
    Swap.Combining = LaneCombining::Retried;

    Operation Test = Compute;
    Test.Opcode = "ISETP";
    Test.What = Semantics::Compare;
    Test.Compare = ComparePredicate::NE;
    Test.Bits = uint8_t(Swap.BytesPerLane * 8);
    Test.Emits = {{InstClass::ISetp, Swap.BytesPerLane == 8 ? 2.f : 1.f,
                   Swap.BytesPerLane == 8 ? 2.f : 1.f}};
    Test.Operands = {Operand::value(swap()), Operand::value(First)};

    Operation Back = Compute;
    Back.Opcode = "BRA";
    Back.NumResults = 0;
    Back.Emits = {{InstClass::Branch, 1, 1}};
    Back.Operands = {Operand::value(test())};

    Facts.Accesses.push_back(std::move(Loaded));
    Facts.Operations[First] = std::move(Load);
    const Operation Rest[NumNew] = {std::move(Compute), std::move(Atomic),
                                    std::move(Test), std::move(Back)};
    Facts.Operations.insert(Facts.Operations.begin() + First + 1,
                            std::begin(Rest), std::end(Rest));
  }

  void cutBlock() {
    const gpuocc::BasicBlock Old = Facts.Blocks[Before];
    gpuocc::BasicBlock Head = Old, Body, Tail = Old;
    Head.NumOps = First - Old.FirstOp;
    Head.Successors = {body()};
    Head.Branch = NoIndex;
    Head.PostDominator = body();

    Body.Name = Old.Name + ".retry";
    Body.FirstOp = First;
    Body.NumOps = NumNew + 1;
    Body.Successors = {body(), behind()};
    Body.Branch = uint32_t(Facts.Branches.size());
    Body.PostDominator = behind();
    Body.Loop = uint32_t(Facts.Loops.size());

    Tail.Name = Old.Name + ".done";
    Tail.FirstOp = branch() + 1;
    Tail.NumOps = Old.NumOps - Head.NumOps - 1;

    Facts.Blocks[Before] = std::move(Head);
    const gpuocc::BasicBlock Rest[] = {std::move(Body), std::move(Tail)};
    Facts.Blocks.insert(Facts.Blocks.begin() + body(), std::begin(Rest),
                        std::end(Rest));
    for (uint32_t I = behind() + 1; I < Facts.Blocks.size(); ++I)
      Facts.Blocks[I].FirstOp += NumNew;
  }

  void addLoop() {
    gpuocc::Branch Back;
    Back.Op = branch();
    Back.Block = body();
    Back.Condition = Operand::value(test());
    Back.Targets = {body(), behind()};
    Facts.Branches.push_back(std::move(Back));

    gpuocc::Loop L;
    L.Header = body();
    L.Parent = Facts.Blocks[Before].Loop;
    L.Depth = L.Parent == NoIndex ? 1 : Facts.Loops[L.Parent].Depth + 1;
    L.Blocks = {body()};
    L.Latches = {body()};
    L.Location = Facts.Operations[swap()].Location;
    L.NoUnroll = true;
    Facts.Loops.push_back(std::move(L));
  }
};

} // namespace

/// Whether the address \p Of is computed from that of an array in shared
/// memory.
static bool leadsToShared(const KernelFacts &Facts, Operand Of) {
  return anyOperationBehind(Facts, Of, [&](const Operation &Op) {
    return any_of(Op.Operands, [&](const Operand &O) {
      return O.K == Operand::Kind::Symbol && O.Index < Facts.Symbols.size() &&
             Facts.Symbols[O.Index].Space == MemorySpace::Shared;
    });
  });
}

/// Addresses that mapa computes are generic where CUDA's functions ask for
/// them, and always of shared memory.
static void findGenericOfClusters(KernelFacts &Facts,
                                  const std::vector<bool> &OfCluster) {
  for (auto [A, IsOfCluster] : zip_equal(Facts.Accesses, OfCluster))
    if (IsOfCluster)
      A.Space = MemorySpace::Shared;
}

/// Headers of CUDA add to halves through generic addresses. The instruction is
/// tried, and what lies in shared memory is retried there.
static void findGenericOfShared(KernelFacts &Facts) {
  for (MemoryAccess &A : Facts.Accesses) {
    if (A.Space != MemorySpace::Generic || !isAtomic(A.Kind) ||
        !leadsToShared(Facts, A.Base))
      continue;
    A.Space = MemorySpace::Shared;
    for (Emission &E : Facts.Operations[A.Op].Emits)
      if (E.Class == InstClass::AtomGlobal)
        E.Class = InstClass::AtomShared;
  }
}

void gpuocc::retryAtomicsLikePtxas(KernelFacts &Facts) {
  const std::vector<bool> OfCluster = accessesOfCluster(Facts);
  findGenericOfClusters(Facts, OfCluster);
  findGenericOfShared(Facts);
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const Operation &Op = Facts.Operations[A.Op];
    if (Op.Guard.K != Operand::Kind::Undef || Op.Operands.size() < 2 ||
        (I < OfCluster.size() && OfCluster[I]))
      continue;
    if (std::optional<Emission> Work = retriedWork(A))
      Retrier(Facts, I, *Work).run();
  }
}
