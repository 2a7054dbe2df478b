//===- PartialWarp.cpp - Blocks that leave lanes of a warp empty ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/WhatIf/ControlChanges.h"

using namespace gpuocc;
using namespace llvm;

static bool readsThreadIndex(const KernelFacts &Facts) {
  return readsRegister(Facts, SpecialReg::TidX) ||
         readsRegister(Facts, SpecialReg::TidY) ||
         readsRegister(Facts, SpecialReg::TidZ);
}

void gpuocc::findPartialWarp(const Case &C, Findings &Out) {
  constexpr uint64_t LanesPerWarp = 32;
  uint64_t Threads = C.Launched.threadsPerBlock();
  uint64_t Lanes = C.Launched.warpsPerBlock() * LanesPerWarp;
  // Threads that do not tell themselves apart would do the same more often.
  if (Threads == Lanes || !readsThreadIndex(C.Facts))
    return;
  FindingWriter W(RuleId::PartialWarp, kernelLocation(C.Facts));
  W << "a block of " << named("Threads", Twine(Threads)) << " "
    << plural(Threads, "thread") << " takes "
    << named("Warps", Twine(C.Launched.warpsPerBlock())) << " "
    << plural(C.Launched.warpsPerBlock(), "warp") << " with "
    << named("EmptyLanes", Twine(Lanes - Threads)) << " "
    << plural(Lanes - Threads, "lane") << " that never "
    << (Lanes - Threads == 1 ? "works" : "work") << "; choose a multiple of 32";
  addPrice(W, C, fillWarps());
  Out.push_back(std::move(W.finding()));
}
