//===- IntervalOf.cpp - The interval of one launch ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntervalOf.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/LoadedPlaces.h"
#include "gpuocc/Kernel/Spills.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "gpuocc/Model/Interval.h"
#include "gpuocc/Model/SweepsInStep.h"
#include "gpuocc/Model/WarpWork.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <optional>

using namespace gpuocc;
using namespace llvm;

static bool isKnown(Exactness E) { return E == Exactness::Exact; }

bool gpuocc::isOpenEnded(const LoopProfile &L) {
  return L.TripCount > 0 &&
         (L.Basis == TripBasis::Guessed || L.Basis == TripBasis::NotReached ||
          L.Basis == TripBasis::Scattered);
}

/// The largest trip count that rests on \p Basis; 0 where no loop of that kind
/// is entered.
static double mostTrips(const ExecutionProfile &Profile, TripBasis Basis) {
  double Most = 0;
  for (const LoopProfile &L : Profile.Loops)
    if (L.Basis == Basis)
      Most = std::max(Most, L.TripCount);
  return Most;
}

static bool hasTrips(const ExecutionProfile &Profile, TripBasis Basis) {
  return mostTrips(Profile, Basis) > 0;
}

/// Loops that were counted with data, arguments or samples that were assumed.
static bool hasUnknownTrips(const ExecutionProfile &Profile) {
  return any_of(Profile.Loops, [](const LoopProfile &L) {
    return L.Basis == TripBasis::Counted && !isKnown(L.Exact);
  });
}

/// What is not known of trip counts: the reason that widens most.
static std::optional<IntervalTerm>
termOfTrips(const ExecutionProfile &Profile) {
  constexpr double Unbounded = std::numeric_limits<double>::infinity();
  if (const double Trips = mostTrips(Profile, TripBasis::Guessed); Trips > 0)
    return IntervalTerm{"trip counts that nobody knows",
                        guessedTripsFactor(Trips), Unbounded};
  if (hasTrips(Profile, TripBasis::NotReached))
    return IntervalTerm{"loops whose end was not reached", UnknownTripsFactor,
                        Unbounded};
  if (hasTrips(Profile, TripBasis::Scattered))
    return IntervalTerm{"warps that were not walked, whose loops may go on "
                        "longer",
                        UnknownTripsFactor, Unbounded};
  if (hasUnknownTrips(Profile))
    return IntervalTerm{"trip counts that are not exact", UnknownTripsFactor};
  if (hasTrips(Profile, TripBasis::AtMost))
    return IntervalTerm{"loops that data may end early", UnknownTripsFactor, 1};
  return std::nullopt;
}

/// Rows whose mean length is guessed by the sizes of arrays: no loop is.
static bool guessesRows(const ExecutionProfile &Profile) {
  return any_of(Profile.Assumptions, [](const Assumption &A) {
    return A.GuessedBy == mechanismInfo(Mechanism::TripCounts).Key;
  });
}

/// Branches that run and go as data says.
static bool hasUnknownProbability(const ExecutionProfile &Profile) {
  return any_of(Profile.Branches, [](const BranchProfile &B) {
    return B.ExecutionsPerWarp > 0 && B.Exact == Exactness::DataDependent;
  });
}

/// Does compare-and-swap \p Op put a constant where it finds another? Then
/// threads wait for the one that has to put that back.
static bool takesLock(const Operation &Op) {
  return Op.Operands.size() > 2 && Op.Operands[1].isImmediate() &&
         Op.Operands[2].isImmediate();
}

/// Loops of compare-and-swap that threads may leave for another reason than
/// that their swap took place, with more threads than words to meet on: the
/// model prices each round once. Those of locks, or the others.
static bool hasOpenSwaps(const KernelFacts &Facts,
                         const ExecutionProfile &Profile, const Prediction &P,
                         const DeviceModel &Device, bool AreLocks) {
  constexpr double WarpLanes = 32;
  const Known<double> Sms = Device.get(Quantity::SmCount);
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &Of = Profile.Accesses[I];
    const uint32_t Loop = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
    if (A.AtomicOp != "cas" || A.Space == MemorySpace::Shared ||
        (Of.RequestsPerWarp <= 0 && isKnown(Of.Exact)) ||
        Loop >= Facts.Loops.size() || isRetriedSwap(Facts, I) ||
        takesLock(Facts.Operations[A.Op]) != AreLocks)
      continue;
    if (!Of.GridSectors || !Sms ||
        *Of.GridSectors * sectorBytes(Device) / A.BytesPerLane <
            P.ActiveWarpsPerSm * WarpLanes * *Sms)
      return true;
  }
  return false;
}

/// Loops of compare-and-swap on words that loaded indices choose, of which the
/// launch does not say how many there are: threads that meet on a word try
/// again for each other.
static bool drawsSwappedWords(const KernelFacts &Facts,
                              const ExecutionProfile &Profile,
                              const Launch &L) {
  if (!L.DistinctAddresses.empty())
    return false;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (Profile.Accesses[I].DrawnAddresses &&
        Profile.Accesses[I].RequestsPerWarp > 0 &&
        Facts.Accesses[I].Space != MemorySpace::Shared &&
        isRetriedSwap(Facts, I))
      return true;
  return false;
}

/// Bulk copies (\p AreBulk), or fetches of textures, of which no code says how
/// many bytes they have.
static bool assumesWidths(const KernelFacts &Facts,
                          const ExecutionProfile &Profile, bool AreBulk) {
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (Facts.Accesses[I].WidthAssumed && Facts.Accesses[I].Bulk == AreBulk &&
        Profile.Accesses[I].RequestsPerWarp > 0)
      return true;
  return false;
}

static bool isBoundBy(const Prediction &P, Resource R) {
  const auto Largest =
      max_element(P.Bounds, [](const Bound &A, const Bound &B) {
        return A.CyclesPerWarp < B.CyclesPerWarp;
      });
  return Largest != P.Bounds.end() && Largest->What == R;
}

/// Tables in constant memory that loaded indices reach and that exceed the
/// first constant cache, where the pipe that reads them bounds.
static bool exceedsConstantCache(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile,
                                 const Prediction &P,
                                 const DeviceModel &Device) {
  const Known<double> Bytes = Device.get(Quantity::ConstantL1Bytes);
  if (!Bytes || !isBoundBy(P, Resource::Adu))
    return false;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const Known<double> &Words = Profile.Accesses[I].DrawnAddresses;
    if (A.Space == MemorySpace::Constant && Words &&
        *Words * A.BytesPerLane > *Bytes)
      return true;
  }
  return false;
}

/// Calls of \p Function that some warp makes.
static bool calls(const KernelFacts &Facts, const ExecutionProfile &Profile,
                  QueuedFunction Function) {
  return any_of(Facts.Operations, [&](const Operation &Op) {
    return Profile.Blocks[Op.Block].ExecutionsPerWarp > 0 &&
           any_of(Op.Queued,
                  [&](const QueuedCall &C) { return C.Function == Function; });
  });
}

/// Operations that some warp executes and of which is not known what they do:
/// calls, or (\p AreCalls not set) products in tensor memory.
static bool lacksWork(const KernelFacts &Facts, const ExecutionProfile &Profile,
                      bool AreCalls) {
  auto IsPriceless = [](const Operation &Op) {
    return any_of(Op.Emits, [](const Emission &E) {
      return E.Class == InstClass::Unknown;
    });
  };
  return any_of(Facts.Gaps, [&](const AnalysisGap &Gap) {
    bool IsExecuted = false, IsCall = true;
    for (const Operation &Op : Facts.Operations)
      if (Op.Location == Gap.Location &&
          Profile.Blocks[Op.Block].ExecutionsPerWarp > 0) {
        IsExecuted = true;
        IsCall &= !IsPriceless(Op);
      }
    return Gap.LacksWork && IsExecuted && IsCall == AreCalls;
  });
}

bool gpuocc::lacksProducts(const KernelFacts &Facts,
                           const ExecutionProfile &Profile) {
  return lacksWork(Facts, Profile, /*AreCalls=*/false);
}

/// Atomics of warps that pass over the same words, loads that L1 lacks, or
/// loads of what is stored back, where L2 bounds. A warp alone meets nobody.
static bool sweepsWords(const KernelFacts &Facts,
                        const ExecutionProfile &Profile, const Prediction &P,
                        const Launch &L, const DeviceModel &Device) {
  constexpr double MostHit = 0.5;
  const double LineBytes =
      Device.get(Quantity::L1LineBytes).valueOr(MemoryGeometry().LineBytes);
  const bool IsAlone =
      L.Grid && L.Grid->Value.count() == 1 && L.warpsPerBlock() == 1;
  if (IsAlone || !isBoundBy(P, Resource::L2))
    return false;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (isAtomic(Facts.Accesses[I].Kind)
            ? sweepsInStep(Profile.Accesses[I])
            : (Profile.Accesses[I].L1HitFraction < MostHit &&
               readsInStep(Facts, Profile, I)) ||
                  linesExchanged(Facts, Profile, I, sectorBytes(Device),
                                 LineBytes) > 0)
      return true;
  return false;
}

/// Spills make a good part of what the kernel asks memory for, and they may be
/// in loops or not.
static bool spillsMuch(const KernelFacts &Facts,
                       const ExecutionProfile &Profile) {
  constexpr double Much = 0.25;
  if (none_of(Profile.Loops,
              [](const LoopProfile &L) { return L.TripCount >= 2; }))
    return false;
  double OfSpills = 0, All = 0;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const double Requests = Profile.Accesses[I].RequestsPerWarp;
    All += Requests;
    OfSpills += isSpill(Facts, Facts.Accesses[I]) ? Requests : 0;
  }
  return OfSpills > Much * All;
}

/// Loads that go where loaded data lead, if they make a good part of the
/// requests: L1 may have what they read, or only DRAM.
static std::optional<IntervalTerm>
termOfLoadedPlaces(const KernelFacts &Facts, const ExecutionProfile &Profile,
                   const DeviceModel &Device) {
  double Led = 0, All = 0;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const AccessProfile &P = Profile.Accesses[I];
    All += P.RequestsPerWarp;
    Led += goesWhereDataLead(Facts.Accesses[I], P) ? P.RequestsPerWarp : 0;
  }
  const Known<double> L1 = Device.get(Quantity::L1HitLatency),
                      L2 = Device.get(Quantity::L2HitLatency),
                      Dram = Device.get(Quantity::DramLatency);
  if (Led <= NamedPlacesShare * All || !L1 || !L2 || !Dram)
    return std::nullopt;
  return IntervalTerm{"where loaded data lead", std::max(1.0, *L2 / *L1),
                      std::max(1.0, *Dram / *L2)};
}

Known<TimeInterval> gpuocc::intervalOf(const KernelFacts &Facts,
                                       const ExecutionProfile &Profile,
                                       const Prediction &P, const Launch &L,
                                       const DeviceModel &Device,
                                       double OffByBorrowed) {
  if (!P.Time)
    return Known<TimeInterval>::unknown(P.Time.reason());
  std::vector<IntervalTerm> Terms = {{"the model", ModelFactor}};
  if (std::optional<IntervalTerm> Trips = termOfTrips(Profile))
    Terms.push_back(std::move(*Trips));
  else if (guessesRows(Profile))
    Terms.push_back({"how long rows are", UnknownTripsFactor});
  else if (hasUnknownProbability(Profile))
    Terms.push_back({"branches that data decide", UnknownProbabilityFactor});
  if (Profile.SampledError > NoticedError)
    Terms.push_back({"work of the blocks that were not walked",
                     sampledFactor(Profile.SampledError)});
  if (hasOpenSwaps(Facts, Profile, P, Device, /*AreLocks=*/true))
    Terms.push_back({"how long threads wait for a lock", /*Faster=*/1,
                     std::numeric_limits<double>::infinity()});
  if (hasOpenSwaps(Facts, Profile, P, Device, /*AreLocks=*/false))
    Terms.push_back({"how often threads repeat a compare-and-swap",
                     /*Faster=*/1, OpenSwapsFactor});
  if (drawsSwappedWords(Facts, Profile, L))
    Terms.push_back({"how many words the compare-and-swaps meet on",
                     /*Faster=*/1, std::numeric_limits<double>::infinity()});
  if (std::optional<IntervalTerm> Places =
          termOfLoadedPlaces(Facts, Profile, Device))
    Terms.push_back(std::move(*Places));
  if (assumesWidths(Facts, Profile, /*AreBulk=*/false))
    Terms.push_back({"how wide the elements of a texture are", TexelFactor});
  if (assumesWidths(Facts, Profile, /*AreBulk=*/true))
    Terms.push_back({"how many bytes a copy has", CopyBytesFactor});
  if (sweepsWords(Facts, Profile, P, L, Device))
    Terms.push_back({"how far apart warps are that pass over the same words",
                     SweepsInStepFactor});
  if (spillsMuch(Facts, Profile))
    Terms.push_back(
        {"where spilled registers are stored and loaded", SpillPlacesFactor});
  if (calls(Facts, Profile, QueuedFunction::Malloc) ||
      calls(Facts, Profile, QueuedFunction::Free))
    Terms.push_back({"how many pieces the heap of the device has",
                     /*Faster=*/1, std::numeric_limits<double>::infinity()});
  if (lacksWork(Facts, Profile, /*AreCalls=*/true))
    Terms.push_back({"what functions do that are called and not read",
                     /*Faster=*/1, std::numeric_limits<double>::infinity()});
  if (lacksProducts(Facts, Profile))
    Terms.push_back({"what tensor cores and their memory take",
                     /*Faster=*/1, std::numeric_limits<double>::infinity()});
  if (exceedsConstantCache(Facts, Profile, P, Device))
    Terms.push_back({"how lines that the constant cache lacks arrive",
                     OverlappedConstantsFactor, DerivedNumbersFactor});
  if (isDerived(Device))
    Terms.push_back({"numbers of " + Device.Name + " that are derived from " +
                         Device.Relative,
                     DerivedNumbersFactor});
  else if (OffByBorrowed > NamedBorrowedFactor)
    Terms.push_back(
        {"numbers that are not known of " + Device.Name, OffByBorrowed});
  return timeInterval(P.Time->Ns, Terms);
}

/// Widens the interval of \p P, if it has one, to \p Others, times that follow
/// if \p Why goes the other way, each as far off as the model is.
static void cover(Prediction &P, ArrayRef<double> Others, StringRef Why) {
  if (!P.Interval)
    return;
  TimeInterval I = *P.Interval;
  bool IsWider = false;
  for (double Ns : Others) {
    const double Low = Ns / ModelFactor, High = Ns * ModelFactor;
    IsWider |= Low < I.LowNs || High > I.HighNs;
    I.LowNs = std::min(I.LowNs, Low);
    I.HighNs = std::max(I.HighNs, High);
  }
  if (!IsWider)
    return;
  I.DependsOn.push_back(Why.str());
  P.Interval = std::move(I);
}

void gpuocc::coverOtherWays(Prediction &P,
                            ArrayRef<BranchProbabilityProfile> Probabilities) {
  SmallVector<double> Others;
  for (const BranchProbabilityProfile &Of : Probabilities)
    if (Of.Decides && Of.OtherwiseNs)
      Others.push_back(*Of.OtherwiseNs);
  cover(P, Others, "whether warps go where none is taken to go");
}

void gpuocc::coverDrawnNeighbors(Prediction &P, std::optional<double> Ns) {
  if (Ns)
    cover(P, ArrayRef(*Ns),
          "how far apart the places are that loaded data choose");
}
