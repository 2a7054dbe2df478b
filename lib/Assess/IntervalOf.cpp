//===- IntervalOf.cpp - The interval of one launch ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntervalOf.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "gpuocc/Model/Interval.h"
#include "gpuocc/Model/SweepsInStep.h"
#include "gpuocc/Model/WarpWork.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static bool isKnown(Exactness E) { return E == Exactness::Exact; }

/// Loops that run a number of times that was assumed.
static bool hasUnknownTrips(const ExecutionProfile &Profile) {
  return any_of(Profile.Loops,
                [](const LoopProfile &L) { return !isKnown(L.Exact); });
}

/// Branches that run and go as data says.
static bool hasUnknownProbability(const ExecutionProfile &Profile) {
  return any_of(Profile.Branches, [](const BranchProfile &B) {
    return B.ExecutionsPerWarp > 0 && B.Exact == Exactness::DataDependent;
  });
}

/// Loops of compare-and-swap that threads may leave for another reason than
/// that their swap took place, with more threads than words to meet on: the
/// model prices each round once.
static bool hasOpenSwaps(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, const Prediction &P,
                         const DeviceModel &Device) {
  constexpr double WarpLanes = 32;
  const Known<double> Sms = Device.get(Quantity::SmCount);
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &Of = Profile.Accesses[I];
    const uint32_t Loop = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
    if (A.AtomicOp != "cas" || A.Space == MemorySpace::Shared ||
        (Of.RequestsPerWarp <= 0 && isKnown(Of.Exact)) ||
        Loop >= Facts.Loops.size() || isRetriedSwap(Facts, I))
      continue;
    if (!Of.GridSectors || !Sms ||
        *Of.GridSectors * sectorBytes(Device) / A.BytesPerLane <
            P.ActiveWarpsPerSm * WarpLanes * *Sms)
      return true;
  }
  return false;
}

/// Atomics of warps that pass over the same words, where L2 bounds.
static bool sweepsWords(const KernelFacts &Facts,
                        const ExecutionProfile &Profile, const Prediction &P) {
  const auto Largest =
      max_element(P.Bounds, [](const Bound &A, const Bound &B) {
        return A.CyclesPerWarp < B.CyclesPerWarp;
      });
  if (Largest == P.Bounds.end() || Largest->What != Resource::L2)
    return false;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (isAtomic(Facts.Accesses[I].Kind) && sweepsInStep(Profile.Accesses[I]))
      return true;
  return false;
}

Known<TimeInterval> gpuocc::intervalOf(const KernelFacts &Facts,
                                       const ExecutionProfile &Profile,
                                       const Prediction &P,
                                       const DeviceModel &Device) {
  if (!P.Time)
    return Known<TimeInterval>::unknown(P.Time.reason());
  std::vector<IntervalTerm> Terms = {{"the model", ModelFactor}};
  if (hasUnknownTrips(Profile))
    Terms.push_back({"trip counts that nobody knows", UnknownTripsFactor});
  else if (hasUnknownProbability(Profile))
    Terms.push_back({"branches that data decide", UnknownProbabilityFactor});
  if (hasOpenSwaps(Facts, Profile, P, Device))
    Terms.push_back({"how often threads repeat a compare-and-swap",
                     OpenSwapsFactor, /*OnlySlower=*/true});
  if (sweepsWords(Facts, Profile, P))
    Terms.push_back({"how far apart warps are that pass over the same words",
                     SweepsInStepFactor});
  if (isDerived(Device))
    Terms.push_back({"numbers of " + Device.Name + " that are derived from " +
                         Device.Relative,
                     DerivedNumbersFactor});
  else if (!P.Borrowed.empty())
    Terms.push_back(
        {"numbers that are not known of " + Device.Name, DerivedNumbersFactor});
  return timeInterval(P.Time->Ns, Terms);
}
