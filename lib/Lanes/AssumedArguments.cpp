//===- AssumedArguments.cpp - Arguments that are not given ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/AssumedArguments.h"
#include "Walk/LaunchInputs.h"

using namespace gpuocc;

std::vector<AssumedArgument>
gpuocc::assumedArguments(const KernelFacts &Facts, const Launch &L,
                         const LanesOptions &Options) {
  const Slice S = sliceKernel(
      Facts,
      findRecordedArrays(Facts, L, Options.Used, Options.seenIn(L) != nullptr),
      Options.Used);
  LaunchInputs Inputs(Facts, L, Options, S);
  for (const SliceOp &Op : S.Ops)
    if (Op.What == Semantics::Param)
      for (unsigned Result = 0; Result < Op.NumResults; ++Result)
        Inputs.parameter(Op, Result);
  return Inputs.assumedArguments();
}
