//===- WalkedLaunch.cpp - What caches may ask of walked warps -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/WalkedLaunch.h"
#include "Memory/WarpTracer.h"
#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WalkMemory.h"
#include "Walk/WarpWalker.h"

using namespace gpuocc;

Dim3 WalkedLaunch::grid() const { return Inputs.grid(); }

unsigned WalkedLaunch::warpsPerBlock() const { return Inputs.warpsPerBlock(); }

uint64_t WalkedLaunch::dynamicSharedBytes() const {
  return Inputs.dynamicSharedBytes();
}

bool WalkedLaunch::isHostMemory(uint64_t Address) const {
  return Inputs.memory().isHostMemory(Address);
}

uint32_t WalkedLaunch::loopOf(size_t Access) const {
  const uint32_t Op = Facts.Accesses[Access].Op;
  return S.Nest.innermost(
      Op < Facts.Operations.size() ? Facts.Operations[Op].Block : NoIndex);
}

struct WarpTraces::State {
  explicit State(const WalkedLaunch &Of)
      : Launch(Of), Tracer(Of.facts(), Of.geometry()) {}

  const WalkedLaunch &Launch;
  WarpTracer Tracer;
  WalkMemory Memory;
};

WarpTraces::WarpTraces(const WalkedLaunch &Of)
    : Walks(std::make_unique<State>(Of)) {}

WarpTraces::~WarpTraces() = default;

WarpTrace WarpTraces::trace(Dim3 Block, unsigned Warp, unsigned Iterations,
                            uint64_t MaxSteps, uint64_t Key,
                            unsigned Stretches) {
  const WalkedLaunch &Of = Walks->Launch;
  WalkLimits Limits;
  Limits.MaxIterations = Iterations;
  Limits.Consecutive = true;
  Limits.Stretches = Stretches;
  Limits.MaxSteps = std::max<uint64_t>(1, MaxSteps);
  Limits.Memory = &Walks->Memory;
  WarpWalker Walker(Of.Facts, Of.S, Of.Inputs, Limits);
  Walks->Tracer.begin(Key);
  Walker.walk(Block, Warp, 1, Walks->Tracer);
  LastSteps = Walker.steps();
  return Walks->Tracer.take();
}
