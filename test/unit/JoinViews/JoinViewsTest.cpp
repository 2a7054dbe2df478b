//===- JoinViewsTest.cpp - Tests of joining machine views -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/JoinViews/JoinViews.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Builds facts block by block.
class Builder {
public:
  explicit Builder(MachineView View) { Facts.View = View; }

  Builder &block(std::initializer_list<uint32_t> Successors) {
    gpuocc::BasicBlock B;
    B.FirstOp = Facts.Operations.size();
    B.Successors = Successors;
    Facts.Blocks.push_back(std::move(B));
    return *this;
  }

  Builder &op(uint32_t Origin, std::string Opcode, InstClass Class) {
    Operation Op;
    Op.Opcode = std::move(Opcode);
    Op.Emits.push_back({Class, 1, 1});
    Op.Block = Facts.Blocks.size() - 1;
    Op.Origin = Origin;
    ++Facts.Blocks.back().NumOps;
    Facts.Operations.push_back(std::move(Op));
    return *this;
  }

  Builder &load(uint32_t Origin) {
    op(Origin, "load", InstClass::LdGlobal);
    MemoryAccess A;
    A.Op = Facts.Operations.size() - 1;
    A.Space = MemorySpace::Global;
    Facts.Operations.back().Access = Facts.Accesses.size();
    Facts.Accesses.push_back(std::move(A));
    return *this;
  }

  Builder &branch(uint32_t Origin) {
    op(Origin, "BRA", InstClass::Branch);
    gpuocc::Branch B;
    B.Op = Facts.Operations.size() - 1;
    B.Block = Facts.Blocks.size() - 1;
    B.Targets = Facts.Blocks.back().Successors;
    Facts.Blocks.back().Branch = Facts.Branches.size();
    Facts.Branches.push_back(std::move(B));
    return *this;
  }

  KernelFacts done() {
    findLoops(Facts);
    return std::move(Facts);
  }

private:
  KernelFacts Facts;
};

/// A loop that runs \p Trips times, with one load an iteration.
KernelFacts mirLoop() {
  return Builder(MachineView::Mir)
      .block({1})
      .op(1, "start", InstClass::IAdd3)
      .block({1, 2})
      .load(2)
      .branch(3)
      .block({})
      .op(4, "exit", InstClass::Exit)
      .done();
}

ExecutionProfile profileOf(const KernelFacts &Mir, double Trips) {
  ExecutionProfile P;
  P.Blocks = {{1, 1}, {Trips, 0.5}, {1, 1}};
  P.Accesses.resize(1);
  P.Accesses[0].ExecutionsPerWarp = P.Accesses[0].RequestsPerWarp = Trips;
  P.Accesses[0].SectorsPerRequest = 7;
  P.Branches.resize(1);
  P.Loops.resize(1);
  P.Loops[0].TripCount = Trips;
  return P;
}

TEST(JoinViews, UnrolledLoopAndItsRemainder) {
  KernelFacts Mir = mirLoop();
  // Four iterations a pass, then one.
  KernelFacts Sass = Builder(MachineView::Sass)
                         .block({1})
                         .op(1, "IADD3", InstClass::IAdd3)
                         .block({1, 2})
                         .load(2)
                         .load(2)
                         .load(2)
                         .load(2)
                         .branch(3)
                         .block({2, 3})
                         .load(2)
                         .branch(3)
                         .block({})
                         .op(4, "EXIT", InstClass::Exit)
                         .done();
  ViewJoin Join = joinViews(Mir, Sass);
  EXPECT_TRUE(Join.isGood());
  ASSERT_EQ(Join.Copies.size(), 2u);
  EXPECT_EQ(Join.Copies[Sass.Blocks[1].Loop], 4u);
  EXPECT_EQ(Join.Copies[Sass.Blocks[2].Loop], 1u);

  ExecutionProfile P =
      projectProfile(Join, Mir, profileOf(Mir, 11), Sass, MemoryGeometry());
  EXPECT_DOUBLE_EQ(P.Blocks[0].ExecutionsPerWarp, 1);
  EXPECT_DOUBLE_EQ(P.Blocks[1].ExecutionsPerWarp, 2);
  EXPECT_DOUBLE_EQ(P.Blocks[2].ExecutionsPerWarp, 3);
  EXPECT_DOUBLE_EQ(P.Blocks[3].ExecutionsPerWarp, 1);
  // The copies share the requests, and each has the pattern.
  double Requests = 0;
  for (const AccessProfile &A : P.Accesses) {
    EXPECT_DOUBLE_EQ(A.SectorsPerRequest, 7);
    Requests += A.RequestsPerWarp;
  }
  EXPECT_DOUBLE_EQ(Requests, 11);
  EXPECT_DOUBLE_EQ(P.Loops[Sass.Blocks[1].Loop].TripCount, 2);
  EXPECT_DOUBLE_EQ(P.Blocks[1].ActiveLaneFraction, 0.5);
}

TEST(JoinViews, WhollyUnrolledLoop) {
  KernelFacts Mir = mirLoop();
  KernelFacts Sass = Builder(MachineView::Sass)
                         .block({})
                         .load(2)
                         .load(2)
                         .load(2)
                         .op(4, "EXIT", InstClass::Exit)
                         .done();
  ViewJoin Join = joinViews(Mir, Sass);
  ExecutionProfile P =
      projectProfile(Join, Mir, profileOf(Mir, 3), Sass, MemoryGeometry());
  EXPECT_DOUBLE_EQ(P.Blocks[0].ExecutionsPerWarp, 1);
  EXPECT_DOUBLE_EQ(P.Accesses[0].RequestsPerWarp, 1);
}

TEST(JoinViews, SlowPathOfTheAssemblerIsCold) {
  KernelFacts Mir = Builder(MachineView::Mir)
                        .block({})
                        .op(1, "div", InstClass::FMul)
                        .op(2, "exit", InstClass::Exit)
                        .done();
  KernelFacts Sass = Builder(MachineView::Sass)
                         .block({1, 2})
                         .op(1, "FFMA", InstClass::FFma)
                         .branch(1)
                         .block({2})
                         .op(1, "CALL.REL.NOINC", InstClass::Call)
                         .block({})
                         .op(2, "EXIT", InstClass::Exit)
                         .done();
  ViewJoin Join = joinViews(Mir, Sass);
  EXPECT_TRUE(Join.IsCold[1]);
  ExecutionProfile Of;
  Of.Blocks = {{5, 1}};
  ExecutionProfile P = projectProfile(Join, Mir, Of, Sass, MemoryGeometry());
  EXPECT_DOUBLE_EQ(P.Blocks[0].ExecutionsPerWarp, 5);
  EXPECT_DOUBLE_EQ(P.Blocks[1].ExecutionsPerWarp, 0);
  EXPECT_DOUBLE_EQ(P.Blocks[2].ExecutionsPerWarp, 5);
}

TEST(JoinViews, SpillsAreNamedOrKnown) {
  KernelFacts Mir = mirLoop();
  KernelFacts Sass =
      Builder(MachineView::Sass).block({}).load(NoIndex).load(2).done();
  Sass.Accesses[0].Space = MemorySpace::Local;
  ViewJoin Join = joinViews(Mir, Sass);
  EXPECT_EQ(Join.Access[0], NoIndex);
  EXPECT_EQ(Join.Access[1], 0u);
  ExecutionProfile P =
      projectProfile(Join, Mir, profileOf(Mir, 1), Sass, MemoryGeometry());
  EXPECT_DOUBLE_EQ(P.Accesses[0].L1HitFraction, 1);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Assumed);
  EXPECT_FALSE(Join.isGood());
}

TEST(JoinViews, PredicationIsTakenBack) {
  KernelFacts Mir = mirLoop();
  Mir.Blocks[2].PredicatedInto = 0;
  EXPECT_EQ(withoutPredication(Mir).Blocks[2].PredicatedInto, NoIndex);
}

TEST(Dominators, DiamondInsideALoop) {
  //      0 -> 1 -> {2, 3} -> 4 -> {1, 5}
  BlockGraph Graph = {{1}, {2, 3}, {4}, {4}, {1, 5}, {}};
  Dominators Above = Dominators::of(Graph);
  EXPECT_EQ(Above.parent(4), 1u);
  EXPECT_TRUE(Above.dominates(1, 5));
  EXPECT_FALSE(Above.dominates(2, 4));
  Dominators After = Dominators::ofReversed(Graph);
  EXPECT_EQ(After.parent(1), 4u);
  EXPECT_TRUE(After.dominates(5, 0));
  EXPECT_EQ(After.parent(5), NoIndex);
}

} // namespace
