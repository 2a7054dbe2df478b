//===- PipeKinds.cpp - How warps wait for pipes ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/PipeKinds.h"
#include "Numbers/Numbers.h"

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
  auto Measured = [&](Quantity Entries, Quantity Delay) {
    return PipeQueue{unsigned(N.get(Entries)), N.get(Delay)};
  };
  switch (Pipe) {
  case Resource::Xu:
    return Measured(Quantity::SpecialQueueEntries, Quantity::SpecialQueueDelay);
  case Resource::Lsu:
    return Measured(Quantity::MemoryQueueEntries, Quantity::MemoryQueueDelay);
  default:
    return {};
  }
}

bool gpuocc::isOfScheduler(Resource Pipe) {
  return !isTracked(Pipe) || Pipe == Resource::Xu;
}
