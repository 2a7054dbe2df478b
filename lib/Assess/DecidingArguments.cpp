//===- DecidingArguments.cpp - Arguments that decide a time ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecidingArguments.h"
#include "DecidingFactor.h"
#include "Geometry.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Lanes/AssumedArguments.h"
#include "gpuocc/Model/WarpWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Does a warp work differently much in \p A and \p B? Where rows lie decides
/// what DRAM makes of them, which is not counted.
static bool areApart(const WarpWork &A, const WarpWork &B) {
  return isFar(A.WarpInstructions, B.WarpInstructions) ||
         isFar(A.l2Bytes(), B.l2Bytes());
}

/// Those of \p Assumed that are taken to be as large as another, in order, but
/// the first of each value where \p Later.
static std::vector<AssumedArgument> equalOnes(ArrayRef<AssumedArgument> Assumed,
                                              bool Later) {
  std::vector<AssumedArgument> Equal;
  for (size_t I = 0; I != Assumed.size(); ++I) {
    auto IsAsLarge = [&](const AssumedArgument &Other) {
      return Other.Value == Assumed[I].Value;
    };
    if (any_of(Assumed.take_front(I), IsAsLarge) ||
        (!Later && any_of(Assumed.drop_front(I + 1), IsAsLarge)))
      Equal.push_back(Assumed[I]);
  }
  return Equal;
}

static std::vector<std::string> namesOf(ArrayRef<AssumedArgument> Arguments) {
  std::vector<std::string> Names;
  for (const AssumedArgument &A : Arguments)
    Names.push_back(A.Name);
  return Names;
}

std::vector<std::string>
gpuocc::decidingArguments(const KernelFacts &Walked, const KernelFacts &Facts,
                          const Launch &L, const ExecutionProfile &Own,
                          unsigned BlocksPerSm, const DeviceModel &Device,
                          const AssessOptions &Options, Profiler Profile) {
  if (PricingBudget(Facts.Operations.size()).perRule() == 0)
    return {};
  const std::vector<AssumedArgument> Assumed =
      assumedArguments(Walked, L, Options.Lanes);
  const WarpWork OwnWork = warpWork(Facts, Own, Device);
  const MemoryGeometry Geometry = geometryOf(Device, BlocksPerSm);
  auto Decide = [&](ArrayRef<AssumedArgument> Arguments) {
    Launch Other = L;
    for (const AssumedArgument &A : Arguments)
      Other.Members[A.OffsetBytes] = {{A.Another, 0, false}, "assumed"};
    // What L2 holds does not change what is asked of it.
    const ExecutionProfile There =
        Profile(Facts, Other, Geometry,
                effortOfQuestion(Options.Questions.get(), CacheLevels::L1));
    return areApart(OwnWork, warpWork(Facts, There, Device));
  };
  std::vector<std::string> Names;
  if (Assumed.empty())
    return Names;
  if (!Decide(Assumed)) {
    // What lies between two that were taken alike, or is left of their
    // difference, is empty while they grow together.
    const std::vector<AssumedArgument> Later = equalOnes(Assumed, true);
    return !Later.empty() && Decide(Later) ? namesOf(equalOnes(Assumed, false))
                                           : Names;
  }
  for (const AssumedArgument &A : Assumed)
    if (Assumed.size() == 1 || Decide(A))
      Names.push_back(A.Name);
  // Several may decide only together.
  return Names.empty() ? namesOf(Assumed) : Names;
}

std::string gpuocc::undecidedText(ArrayRef<std::string> Names) {
  const std::string Last = Names.back();
  const std::string Others = join(Names.drop_back(), ", ");
  return "it follows from " +
         (Others.empty() ? Last : Others + " and " + Last) +
         ", which nobody gave";
}
