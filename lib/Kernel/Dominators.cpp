//===- Dominators.cpp - Dominators and loops of a flow graph --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Dominators.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace gpuocc;
using namespace llvm;

BlockGraph gpuocc::graphOf(const KernelFacts &Facts) {
  BlockGraph Graph;
  for (const gpuocc::BasicBlock &B : Facts.Blocks)
    Graph.push_back(B.Successors);
  return Graph;
}

std::vector<uint32_t> gpuocc::reversePostOrder(const BlockGraph &Graph) {
  std::vector<uint32_t> Order;
  std::vector<uint8_t> Seen(Graph.size());
  std::vector<std::pair<uint32_t, unsigned>> Stack;
  if (!Graph.empty()) {
    Stack.push_back({0, 0});
    Seen[0] = 1;
  }
  while (!Stack.empty()) {
    auto &[Block, Next] = Stack.back();
    if (Next == Graph[Block].size()) {
      Order.push_back(Block);
      Stack.pop_back();
      continue;
    }
    uint32_t S = Graph[Block][Next++];
    if (!Seen[S]) {
      Seen[S] = 1;
      Stack.push_back({S, 0});
    }
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

static BlockGraph reversed(const BlockGraph &Graph) {
  BlockGraph Result(Graph.size());
  for (uint32_t B = 0; B != Graph.size(); ++B)
    for (uint32_t S : Graph[B])
      Result[S].push_back(B);
  return Result;
}

/// Source: Cooper, Harvey and Kennedy 2001, "A Simple, Fast Dominance
/// Algorithm".
Dominators Dominators::of(const BlockGraph &Graph) {
  Dominators D;
  D.Parent.assign(Graph.size(), NoIndex);
  D.Depth.assign(Graph.size(), 0);
  std::vector<uint32_t> Order = reversePostOrder(Graph);
  std::vector<uint32_t> Position(Graph.size(), NoIndex);
  for (uint32_t I = 0; I != Order.size(); ++I)
    Position[Order[I]] = I;
  BlockGraph Predecessors = reversed(Graph);

  auto Meet = [&](uint32_t A, uint32_t B) {
    while (A != B) {
      while (Position[A] > Position[B])
        A = D.Parent[A];
      while (Position[B] > Position[A])
        B = D.Parent[B];
    }
    return A;
  };
  if (!Order.empty())
    D.Parent[0] = 0;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t B : drop_begin(Order)) {
      uint32_t New = NoIndex;
      for (uint32_t P : Predecessors[B])
        if (Position[P] != NoIndex && D.Parent[P] != NoIndex)
          New = New == NoIndex ? P : Meet(P, New);
      if (New != D.Parent[B]) {
        D.Parent[B] = New;
        Changed = true;
      }
    }
  }
  for (uint32_t B : Order)
    D.Depth[B] = B == 0 ? 1 : D.Depth[D.Parent[B]] + 1;
  if (!Order.empty())
    D.Parent[0] = NoIndex;
  return D;
}

Dominators Dominators::ofReversed(const BlockGraph &Graph) {
  // Node 0 is the common exit, block B is node B + 1.
  BlockGraph Flipped(Graph.size() + 1);
  for (uint32_t B = 0; B != Graph.size(); ++B) {
    for (uint32_t S : Graph[B])
      Flipped[S + 1].push_back(B + 1);
    if (Graph[B].empty())
      Flipped[0].push_back(B + 1);
  }
  Dominators Below = of(Flipped);
  Dominators D;
  for (uint32_t B = 0; B != Graph.size(); ++B) {
    uint32_t P = Below.Parent[B + 1];
    D.Parent.push_back(P == NoIndex || P == 0 ? NoIndex : P - 1);
    D.Depth.push_back(Below.Depth[B + 1] ? Below.Depth[B + 1] - 1 : 0);
  }
  return D;
}

bool Dominators::dominates(uint32_t Above, uint32_t Below) const {
  if (!isReachable(Above) || !isReachable(Below))
    return false;
  while (Depth[Below] > Depth[Above])
    Below = Parent[Below];
  return Above == Below;
}

void gpuocc::findLoops(KernelFacts &Facts) {
  BlockGraph Graph = graphOf(Facts);
  BlockGraph Predecessors = reversed(Graph);
  Dominators Above = Dominators::of(Graph);
  Dominators After = Dominators::ofReversed(Graph);
  for (uint32_t B = 0; B != Graph.size(); ++B)
    Facts.Blocks[B].PostDominator = After.parent(B);

  // Latches by header.
  std::map<uint32_t, std::vector<uint32_t>> Found;
  for (uint32_t B = 0; B != Graph.size(); ++B)
    for (uint32_t S : Graph[B])
      if (Above.dominates(S, B))
        Found[S].push_back(B);

  std::vector<gpuocc::Loop> Loops;
  for (auto &[Header, Latches] : Found) {
    gpuocc::Loop L;
    L.Header = Header;
    L.Latches = Latches;
    std::vector<bool> Inside(Graph.size());
    Inside[Header] = true;
    L.Blocks.push_back(Header);
    SmallVector<uint32_t, 16> Work(Latches.begin(), Latches.end());
    while (!Work.empty()) {
      uint32_t B = Work.pop_back_val();
      if (Inside[B] || !Above.isReachable(B))
        continue;
      Inside[B] = true;
      L.Blocks.push_back(B);
      Work.append(Predecessors[B].begin(), Predecessors[B].end());
    }
    llvm::sort(drop_begin(L.Blocks));
    Loops.push_back(std::move(L));
  }
  // Outer loops first: a loop has more blocks than those in it.
  llvm::sort(Loops, [](const gpuocc::Loop &A, const gpuocc::Loop &B) {
    return std::make_pair(B.Blocks.size(), A.Header) <
           std::make_pair(A.Blocks.size(), B.Header);
  });
  for (gpuocc::BasicBlock &B : Facts.Blocks)
    B.Loop = NoIndex;
  for (uint32_t I = 0; I != Loops.size(); ++I) {
    gpuocc::Loop &L = Loops[I];
    L.Parent = Facts.Blocks[L.Header].Loop;
    L.Depth = L.Parent == NoIndex ? 1 : Loops[L.Parent].Depth + 1;
    for (uint32_t B : L.Blocks)
      Facts.Blocks[B].Loop = I;
  }
  Facts.Loops = std::move(Loops);
}
