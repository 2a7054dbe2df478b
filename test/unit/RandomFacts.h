//===- RandomFacts.h - Random values for property tests --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_RANDOMFACTS_H
#define GPUOCC_TEST_UNIT_RANDOMFACTS_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Support/InstClasses.h"
#include <random>

namespace gpuocc {

/// Values whose parts fit together but mean nothing; the same for the same
/// seed.
class RandomValues {
public:
  explicit RandomValues(unsigned Seed) : Engine(Seed) {}

  uint64_t below(uint64_t Bound) { return Bound == 0 ? 0 : Engine() % Bound; }
  bool flip() { return below(2) == 1; }
  double real() { return double(int64_t(Engine())) / double(1 + below(1000)); }
  uint32_t index(size_t Size) {
    return Size == 0 || below(4) == 0 ? NoIndex : uint32_t(below(Size));
  }
  template <typename E> E word(E Last) { return E(below(uint64_t(Last) + 1)); }

  std::string text() {
    static const char *const Pieces[] = {
        "", "a", "B.cu", "\"", "\\", "\n", "\xc3\xa9", "threadIdx.x", "/"};
    std::string S;
    for (uint64_t I = below(4); I != 0; --I)
      S += Pieces[below(std::size(Pieces))];
    return S;
  }

  template <typename T> Known<T> known(T Value) {
    return flip() ? Known<T>(Value) : Known<T>::unknown(text());
  }

  SourcePlace place() {
    return {text(), unsigned(below(100)), unsigned(below(80)), text()};
  }

  Operand operand(size_t Ops, size_t Symbols) {
    switch (below(4)) {
    case 0:
      return Operand::immediate(int64_t(Engine()));
    case 1:
      return Symbols ? Operand::symbol(uint32_t(below(Symbols))) : Operand();
    case 2:
      return Ops ? Operand::value(uint32_t(below(Ops))) : Operand();
    default:
      return Operand();
    }
  }

  KernelFacts facts() {
    KernelFacts F;
    F.Name = text();
    F.Demangled = text();
    F.Architecture = "sm_90";
    F.View = word(MachineView::Sass);
    F.Place = place();
    F.Bounds.MaxThreads = unsigned(below(1024));
    F.Bounds.RequiredBlock[1] = unsigned(below(3));
    F.Parameters.resize(below(4));
    for (Parameter &P : F.Parameters)
      P = {text(), below(64), below(16), below(256), flip(), flip()};
    F.Symbols.resize(below(3));
    for (Symbol &S : F.Symbols)
      S = {text(),     word(MemorySpace::Generic),
           Engine(),   below(64),
           below(512), flip(),
           text(),     flip()};
    F.StaticSharedBytes = below(65536);
    F.UsesDynamicShared = flip();
    F.Resources = {
        unsigned(below(256)), text(), flip(), below(64), below(64), below(64),
        unsigned(below(16))};
    F.Locations.edit().resize(below(5));
    for (SourceLocation &L : F.Locations.edit())
      for (uint64_t I = below(3); I != 0; --I)
        L.Places.push_back(place());

    size_t NumBlocks = 1 + below(4), NumAccesses = below(4);
    F.Blocks.resize(NumBlocks);
    F.Branches.resize(below(3));
    F.Loops.resize(below(3));
    for (BasicBlock &B : F.Blocks) {
      B.Name = text();
      B.FirstOp = uint32_t(F.Operations.size());
      B.NumOps = uint32_t(1 + below(5));
      F.Operations.resize(B.FirstOp + B.NumOps);
      for (uint64_t I = below(3); I != 0; --I)
        B.Successors.push_back(uint32_t(below(NumBlocks)));
      B.Branch = index(F.Branches.size());
      B.Loop = index(F.Loops.size());
      B.PostDominator = index(NumBlocks);
      for (uint32_t I = 0; I != B.NumOps; ++I)
        F.Operations[B.FirstOp + I].Block = uint32_t(&B - F.Blocks.data());
    }
    size_t NumOps = F.Operations.size();
    for (Operation &O : F.Operations) {
      O.Opcode = text();
      for (uint64_t I = below(3); I != 0; --I)
        O.Emits.push_back(
            {word(InstClass::Unknown), float(below(100)) / 7, float(below(2))});
      O.What = word(Semantics::VoteAll);
      O.Bits = uint8_t(below(65));
      O.FromBits = uint8_t(below(65));
      O.SReg = word(SpecialReg::Other);
      O.Compare = word(ComparePredicate::Other);
      O.Shuffle = word(ShuffleKind::Idx);
      O.Imm = int64_t(Engine());
      for (uint64_t I = below(4); I != 0; --I)
        O.Operands.push_back(operand(NumOps, F.Symbols.size()));
      if (flip() && !O.Operands.empty())
        O.Tuples = {uint32_t(O.Operands.size())};
      if (flip())
        for (size_t I = 0; I != O.Operands.size(); ++I)
          O.PhiBlocks.push_back(uint32_t(below(NumBlocks)));
      O.Location = index(F.Locations.size());
      O.Access = index(NumAccesses);
      O.Guard = operand(NumOps, 0);
      O.GuardNegated = flip();
    }
    for (size_t I = 0; I != F.Loops.size(); ++I) {
      Loop &L = F.Loops[I];
      L.Header = uint32_t(below(NumBlocks));
      L.Parent = I == 0 ? NoIndex : uint32_t(I - 1);
      L.Depth = unsigned(I + 1);
      L.Blocks = {L.Header};
      L.Latches = {uint32_t(below(NumBlocks))};
      L.Location = index(F.Locations.size());
    }
    for (size_t I = 0; I != NumAccesses; ++I) {
      MemoryAccess A;
      A.Op = uint32_t(below(NumOps));
      A.Space = word(MemorySpace::Generic);
      A.Kind = word(AccessKind::AsyncCopy);
      A.BytesPerLane = unsigned(1 + below(16));
      A.Base = operand(NumOps, F.Symbols.size());
      A.OffsetBytes = int64_t(Engine());
      A.Volatile = flip();
      A.Acquires = flip();
      A.AtomicOp = text();
      F.Accesses.push_back(A);
    }
    for (Branch &B : F.Branches) {
      B.Op = index(NumOps);
      B.Block = uint32_t(below(NumBlocks));
      B.Condition = operand(NumOps, 0);
      B.Negated = flip();
      B.Targets = {uint32_t(below(NumBlocks)), uint32_t(below(NumBlocks))};
    }
    F.Gaps.resize(below(2));
    for (AnalysisGap &G : F.Gaps)
      G = {index(F.Locations.size()), text()};
    return F;
  }

  Dim3 dim() { return {1 + below(4096), 1 + below(64), 1 + below(8)}; }

  Launch launch() {
    Launch L;
    L.Block = {dim(), text()};
    L.Grid = known(Sourced<Dim3>{dim(), text()});
    L.DynamicSharedBytes = {below(100000), text()};
    L.Cluster = dim();
    if (flip())
      L.CarveoutPercent = unsigned(below(101));
    for (uint64_t I = below(3); I != 0; --I) {
      ScalarArgument A{int64_t(Engine()), real(), flip()};
      L.Arguments[unsigned(below(9))] = {A, text()};
      L.PointerAlignment[unsigned(below(9))] = {below(512), text()};
      L.TripCounts[text()] = {real(), text()};
      L.DistinctAddresses[text()] = {real(), text()};
      L.BranchProbabilities[text()] = {real(), text()};
      L.Members[unsigned(below(9))] = {A, text()};
    }
    return L;
  }

  ExecutionProfile profile(const KernelFacts &F) {
    ExecutionProfile P;
    for (size_t I = 0; I != F.Blocks.size(); ++I)
      P.Blocks.push_back({real(), real()});
    for (size_t I = 0; I != F.Accesses.size(); ++I) {
      using Accessed = AccessProfile;
      Accessed A;
      // All of them: what a file does not keep is found by reading it back.
      for (double Accessed::*Number : {&Accessed::ExecutionsPerWarp,
                                       &Accessed::RequestsPerWarp,
                                       &Accessed::ActiveLanes,
                                       &Accessed::SectorsPerRequest,
                                       &Accessed::IdealSectorsPerRequest,
                                       &Accessed::LinesPerRequest,
                                       &Accessed::WavefrontsPerRequest,
                                       &Accessed::IdealWavefrontsPerRequest,
                                       &Accessed::DistinctAddressesPerRequest,
                                       &Accessed::LanesPerAddress,
                                       &Accessed::SerializedPasses,
                                       &Accessed::LoadedFraction,
                                       &Accessed::L1HitFraction,
                                       &Accessed::L2HitFraction,
                                       &Accessed::L1WaitFraction,
                                       &Accessed::L2WaitFraction,
                                       &Accessed::AwaitsOtherFraction,
                                       &Accessed::BlocksPerLine,
                                       &Accessed::FetchedAlongFraction,
                                       &Accessed::LineVisitFraction,
                                       &Accessed::VisitsFetchedAlongFraction,
                                       &Accessed::MergedStoreFraction})
        A.*Number = real();
      for (Known<double> Accessed::*Number :
           {&Accessed::DrawnAddresses, &Accessed::GridSectors,
            &Accessed::GridSpanBytes, &Accessed::WaveSectors,
            &Accessed::WaveSpanBytes, &Accessed::WrittenLineBytes})
        A.*Number = known(real());
      A.AwaitedAccess = uint32_t(below(1000));
      A.L1WaitsByRequest = {real(), real()};
      A.IsInOrder = below(2) == 0;
      A.IsHostMemory = below(2) == 0;
      A.LaneStrideBytes = known(int64_t(Engine()));
      A.Exact = word(Exactness::Unknown);
      A.Reason = text();
      A.Pattern = text();
      A.ReuseReason = text();
      P.Accesses.push_back(A);
    }
    for (size_t I = 0; I != F.Branches.size(); ++I)
      P.Branches.push_back({real(), real(), real(),
                            word(BranchClass::DataDependent),
                            word(Exactness::Unknown), text()});
    for (size_t I = 0; I != F.Loops.size(); ++I)
      P.Loops.push_back({real(), real(), word(Exactness::Unknown), text()});
    for (uint64_t I = below(3); I != 0; --I)
      P.Samples.push_back({dim(),
                           unsigned(below(32)),
                           real(),
                           {real(), real(), real(), real()},
                           {real(), real()},
                           {real(), real()}});
    for (uint64_t I = below(3); I != 0; --I)
      P.Assumptions.push_back({text(), text(), text(), uint32_t(below(9))});
    P.FootprintReadBytes = known(real());
    P.FootprintWrittenBytes = known(real());
    return P;
  }

private:
  std::mt19937_64 Engine;
};

} // namespace gpuocc

#endif // GPUOCC_TEST_UNIT_RANDOMFACTS_H
