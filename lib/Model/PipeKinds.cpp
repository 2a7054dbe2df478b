//===- PipeKinds.cpp - How warps wait for pipes ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipeKinds.h"

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

bool gpuocc::isQueued(Resource Pipe) {
  return Pipe == Resource::Lsu || Pipe == Resource::Xu;
}
