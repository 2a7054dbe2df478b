//===- PipeKinds.cpp - How warps wait for pipes ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipeKinds.h"
#include "Numbers.h"

using namespace gpuocc;

bool gpuocc::isTracked(Resource Pipe) {
  switch (Pipe) {
  case Resource::Issue:
  case Resource::Fma:
  case Resource::Alu:
  case Resource::Fp16:
  case Resource::Fp64:
  case Resource::Tensor:
  case Resource::Uniform:
    return false;
  default:
    return true;
  }
}

PipeQueue gpuocc::queueOf(Resource Pipe, Numbers &N) {
  auto Measured = [&](Quantity Entries, unsigned OtherEntries, Quantity Delay,
                      double OtherDelay) {
    return PipeQueue{unsigned(N.get(Entries, OtherEntries, "sm_90")),
                     N.get(Delay, OtherDelay, "sm_90")};
  };
  switch (Pipe) {
  case Resource::Xu:
    return Measured(Quantity::SpecialQueueEntries, 2,
                    Quantity::SpecialQueueDelay, 5);
  case Resource::Lsu:
    return Measured(Quantity::MemoryQueueEntries, 14,
                    Quantity::MemoryQueueDelay, 14);
  default:
    return {};
  }
}

bool gpuocc::isOfScheduler(Resource Pipe) {
  return !isTracked(Pipe) || Pipe == Resource::Xu;
}
