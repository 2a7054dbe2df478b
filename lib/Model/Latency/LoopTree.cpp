//===- LoopTree.cpp - The code of a kernel, loop by loop ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopTree.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// The blocks that the entry reaches, each behind all that it leads to but for
/// branches back.
static std::vector<uint32_t> postOrder(ArrayRef<BasicBlock> Blocks) {
  std::vector<uint8_t> Seen(Blocks.size());
  std::vector<uint32_t> Order;
  /// Blocks on the way, and how many of their successors have been visited.
  std::vector<std::pair<uint32_t, unsigned>> Stack;
  if (!Blocks.empty()) {
    Stack.push_back({0, 0});
    Seen[0] = 1;
  }
  while (!Stack.empty()) {
    auto &[Block, Next] = Stack.back();
    const auto &Successors = Blocks[Block].Successors;
    if (Next == Successors.size()) {
      Order.push_back(Block);
      Stack.pop_back();
      continue;
    }
    uint32_t S = Successors[Next++];
    if (!Seen[S]) {
      Seen[S] = 1;
      Stack.push_back({S, 0});
    }
  }
  return Order;
}

LoopTree::LoopTree(const KernelFacts &Facts)
    : Children(Facts.Loops.size() + 1) {
  std::vector<uint8_t> Placed(Facts.Loops.size());
  const std::vector<uint32_t> PostOrder = postOrder(Facts.Blocks);
  for (uint32_t Block : reverse(PostOrder)) {
    Child Inner = {Block, false};
    uint32_t L = Facts.Blocks[Block].Loop;
    while (true) {
      Children[L == NoIndex ? 0 : L + 1].push_back(Inner);
      if (L == NoIndex || Placed[L])
        break;
      Placed[L] = 1;
      Inner = {L, true};
      L = Facts.Loops[L].Parent;
    }
  }
}
