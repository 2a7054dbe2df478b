//===- SweepSizes.cpp - Times over sizes of a problem ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepSizes.h"
#include "Geometry.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Kernel/Extents.h"
#include "gpuocc/Lanes/AssumedArguments.h"
#include "gpuocc/Model/LaunchExtents.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Powers of 4, so that squares have whole sides.
static constexpr uint64_t SweptElements[] = {1 << 16, 1 << 20, 1 << 24,
                                             1 << 28};
/// The size that decides whether there is a sweep.
static constexpr uint64_t ProbedElements = 1 << 20;

/// The dimensions of the grid that \p Facts read their block's place in, bit 0
/// for x.
static uint8_t gridDimensions(const KernelFacts &Facts) {
  uint8_t Bits = 0;
  for (const Operation &Op : Facts.Operations)
    if (Op.What == Semantics::SReg)
      Bits |= Op.SReg == SpecialReg::CtaIdX   ? 1
              : Op.SReg == SpecialReg::CtaIdY ? 2
              : Op.SReg == SpecialReg::CtaIdZ ? 4
                                              : 0;
  return Bits;
}

/// Requests of a warp to global memory.
static double requestsPerWarp(const KernelFacts &Facts,
                              const ExecutionProfile &Profile) {
  double Sum = 0;
  for (size_t I = 0; I != Profile.Accesses.size(); ++I)
    if (is_contained({MemorySpace::Global, MemorySpace::Generic},
                     Facts.Accesses[I].Space))
      Sum += Profile.Accesses[I].RequestsPerWarp;
  return Sum;
}

/// More elements take less time than this share only where they are not what
/// decides it; waves of blocks that fill the SMs better bring a few percent.
static constexpr double FallsBelow = 0.9;

namespace {

class Sweeper {
public:
  Sweeper(const KernelFacts &Walked, const KernelFacts &Facts, const Launch &L,
          Predictor &Model, const AssessOptions &Options, Profiler Profile)
      : Walked(Walked), Facts(Facts), Given(L), Model(Model), Options(Options),
        Profile(Profile) {}

  Known<SizeSweep> sweep();

private:
  using Arguments = std::vector<AssumedArgument>;

  Launch inGrid(Dim3 Grid) const;
  Arguments argumentsIn(Dim3 Grid) const {
    return assumedArguments(Walked, inGrid(Grid), Options.Lanes);
  }
  bool findSizes();
  bool findReach();
  Dim3 gridFor(uint64_t Elements) const;
  Launch launchOf(uint64_t Elements, Dim3 Grid) const;
  ExecutionProfile profileOf(const Launch &L) const {
    return Profile(Facts, L, geometryOf(Model.device(), BlocksPerSm),
                   ProfileEffort());
  }
  Prediction predict(const Launch &L) {
    return Model.predict(Facts, profileOf(L), L, PredictDetail::Comparison);
  }
  uint64_t side(uint64_t Elements) const {
    return Dimensions == 1 ? Elements
                           : uint64_t(std::llround(std::sqrt(Elements)));
  }

  const KernelFacts &Walked, &Facts;
  const Launch &Given;
  Predictor &Model;
  const AssessOptions &Options;
  Profiler Profile;
  Arguments Sizes;
  unsigned Dimensions = 0;
  unsigned BlocksPerSm = 1;
  /// Elements that one more block reaches in each dimension.
  std::array<uint64_t, 2> Reach = {};
  bool Strides = false;
};

} // namespace

Launch Sweeper::inGrid(Dim3 Grid) const {
  Launch L = Given;
  L.Grid = Sourced<Dim3>{Grid, GivenBy::Nobody};
  return L;
}

/// One or two arguments that bound all dimensions of the grid.
bool Sweeper::findSizes() {
  const uint8_t Used = gridDimensions(Walked);
  if (Used != 1 && Used != 3)
    return false;
  Dimensions = Used == 1 ? 1 : 2;
  uint8_t Bounded = 0;
  for (AssumedArgument &A : argumentsIn({64, Dimensions == 2 ? 64u : 1u, 1}))
    if (A.ExtentOf != 0) {
      Bounded |= A.ExtentOf;
      Sizes.push_back(std::move(A));
    }
  return Bounded == Used && Sizes.size() <= 2;
}

bool Sweeper::findReach() {
  // An argument may bound both dimensions: more blocks than a block of the
  // other has threads.
  constexpr uint64_t Blocks = 4096;
  for (unsigned D = 0; D != Dimensions; ++D) {
    auto ReachedBy = [&](uint64_t Number) {
      Dim3 Grid;
      extent(Grid, D) = Number;
      int64_t Most = 0;
      for (const AssumedArgument &A : argumentsIn(Grid))
        if (A.ExtentOf >> D & 1)
          Most = std::max(Most, A.Value);
      return Most;
    };
    const int64_t More = ReachedBy(2 * Blocks) - ReachedBy(Blocks);
    if (More <= 0 || More % int64_t(Blocks) != 0)
      return false;
    Reach[D] = uint64_t(More) / Blocks;
  }
  return true;
}

/// The grid that reaches each of \p Elements once.
Dim3 Sweeper::gridFor(uint64_t Elements) const {
  Dim3 Grid;
  for (unsigned D = 0; D != Dimensions; ++D)
    extent(Grid, D) =
        std::max<uint64_t>(1, divideCeil(side(Elements), Reach[D]));
  return Grid;
}

Launch Sweeper::launchOf(uint64_t Elements, Dim3 Grid) const {
  Launch L = inGrid(Grid);
  for (const AssumedArgument &A : Sizes)
    L.Members[A.OffsetBytes] = {{int64_t(side(Elements)), 0, false},
                                GivenBy::Nobody};
  return L;
}

Known<SizeSweep> Sweeper::sweep() {
  const auto Unknown = [](const char *Why) {
    return Known<SizeSweep>::unknown(Why);
  };
  if (Given.Grid)
    return Unknown("the launch is known");
  if (PricingBudget(Facts.Operations.size()).perRule() == 0)
    return Unknown("the kernel is too long");
  Expected<const ArchLimits &> Limits = archLimits(Model.device().Architecture);
  const Known<double> Sms = Model.device().get(Quantity::SmCount);
  if (!Limits || !Sms) {
    if (!Limits)
      consumeError(Limits.takeError());
    return Unknown("the device is not known");
  }
  BlocksPerSm = std::max(
      1u, occupancy(*Limits, blockResources(Facts, Given)).BlocksPerSm);
  if (!findSizes() || !findReach())
    return Unknown("the launch does not follow from one size");

  const Dim3 Full = gridFor(ProbedElements);
  const Launch Probe = launchOf(ProbedElements, Full);
  const ExecutionProfile There = profileOf(Probe);
  if (any_of(There.Assumptions, [](const Assumption &A) {
        return A.GuessedBy == mechanismInfo(Mechanism::TripCounts).Key;
      }))
    return Unknown("data decides how often loops repeat");
  const Prediction P =
      Model.predict(Facts, There, Probe, PredictDetail::Comparison);
  if (!decidingArguments(Walked, Facts, Probe, There, P.BlocksPerSm,
                         Model.device(), Options, Profile)
           .empty())
    return Unknown("other arguments decide the time");
  // Where threads stride, one block asks for all that the others do.
  Dim3 One = Full;
  One.X = 1;
  Strides = requestsPerWarp(Facts, profileOf(launchOf(ProbedElements, One))) >
            0.5 * double(Full.X) * requestsPerWarp(Facts, There);
  if (Strides && Dimensions != 1)
    return Unknown("the launch does not follow from one size");

  SizeSweep Out;
  for (const AssumedArgument &A : Sizes)
    Out.Sizes.push_back(A.Name);
  Out.Dimensions = Dimensions;
  Out.Strides = Strides;
  for (uint64_t Elements : SweptElements) {
    Dim3 Grid = gridFor(Elements);
    if (Strides)
      Grid.X = std::min(Grid.X, uint64_t(*Sms) * BlocksPerSm);
    const Launch L = launchOf(Elements, Grid);
    if (!extentProblems(L).empty())
      continue;
    const Known<TimeEstimate> Time = predict(L).Time;
    if (!Time)
      return Unknown("no time is predicted");
    // A product of an unknown argument and the size may wrap at this size.
    if (!Out.Points.empty() && Time->Ns < FallsBelow * Out.Points.back().TimeNs)
      return Unknown("other arguments decide the time");
    Out.Points.push_back({Elements, Grid.X, Grid.Y, Time->Ns});
  }
  return Out;
}

Known<SizeSweep> gpuocc::sweepSizes(const KernelFacts &Walked,
                                    const KernelFacts &Facts, const Launch &L,
                                    Predictor &Model,
                                    const AssessOptions &Options,
                                    Profiler Profile) {
  return Sweeper(Walked, Facts, L, Model, Options, Profile).sweep();
}
