//===- LowerLikePtxas.cpp - What ptxas makes of a kernel ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/LowerLikePtxas.h"
#include "LikePtxas.h"

using namespace gpuocc;

namespace {
struct Step {
  std::optional<Mechanism> What; ///< None for what is always done.
  void (*Run)(KernelFacts &);
};
} // namespace

static constexpr Step Steps[] = {
    {Mechanism::IdleLoops, dropIdleLoopsLikePtxas},
    {Mechanism::WidenLoads, widenLikePtxas},
    {Mechanism::NarrowValues, dropMasksLikePtxas},
    {Mechanism::FoldOperations, approximateLikePtxas},
    {Mechanism::FoldOperations, foldLikePtxas},
    {Mechanism::FoldOperations, convertPartsLikePtxas},
    {Mechanism::NarrowValues, narrowLikePtxas},
    {Mechanism::ShareDivisors, shareDivisorsLikePtxas},
    {Mechanism::RetryAtomics, retryAtomicsLikePtxas},
    {Mechanism::PredicateSides, predicateLikePtxas},
    {std::nullopt, placeJumpsLikePtxas},
    {Mechanism::Reconvergence, convergeLikePtxas},
    {Mechanism::UnrollLoops, unrollLikePtxas},
    {Mechanism::Constants, materializeConstantsLikePtxas},
    {Mechanism::UniformDatapath, useUniformDatapathLikePtxas},
    {Mechanism::PredicateSides, chooseLikePtxas},
    {Mechanism::GatherTuples, gatherTuplesLikePtxas},
    {Mechanism::GuardCopies, guardCopiesLikePtxas},
    {Mechanism::CombineAtomics, combineAtomicsLikePtxas},
    {Mechanism::BalancePipes, balanceLikePtxas},
    {Mechanism::KernelStart, beginLikePtxas},
};

void gpuocc::lowerLikePtxas(KernelFacts &Facts, const Mechanisms &Used) {
  selectLikePtxas(Facts);
  for (const Step &S : Steps)
    if (!S.What || Used.has(*S.What))
      S.Run(Facts);
}
