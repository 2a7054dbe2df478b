//===- Assess.cpp - Facts, a launch and a device to a report --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assess/Assess.h"
#include "DecidingArguments.h"
#include "DrawnNeighbors.h"
#include "FindAll.h"
#include "Geometry.h"
#include "IntervalOf.h"
#include "PlanChanges.h"
#include "PricingBudget.h"
#include "Rules.h"
#include "SweepSizes.h"
#include "TakeExecuted.h"
#include "WhereTaken.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Assembler/SpillCode.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Device/ExpectedError.h"
#include "gpuocc/JoinViews/JoinViews.h"
#include "gpuocc/Kernel/SlowPath.h"
#include "gpuocc/Kernel/TensorBoxes.h"
#include "gpuocc/Lanes/AssumedArguments.h"
#include "gpuocc/Lanes/CopyBytes.h"
#include "gpuocc/Model/Interval.h"
#include "gpuocc/Model/LaunchExtents.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// True when the calibrator measured \p Device: what it lacks then, a user
/// cannot supply.
static bool isCalibrated(const DeviceModel &Device) {
  auto Tool = Device.Record.find("tool");
  return Tool != Device.Record.end() &&
         StringRef(Tool->second).starts_with("gpu-occupancy-calibrate");
}

/// Says so where a warp takes longer than any kernel is written for: a trip
/// count or an argument was taken for what it is not.
static void addDoubt(const Prediction &P, std::vector<Assumption> &Out) {
  constexpr double MostCredibleCycles = 1e9;
  double Cycles = P.Latency.CyclesPerWarp;
  for (const Bound &B : P.Bounds)
    Cycles = std::max(Cycles, B.CyclesPerWarp);
  if (Cycles > MostCredibleCycles)
    Out.push_back({"cycles of a warp",
                   formatNumber(Cycles) + " (not credible: above 10^9)",
                   "give the launch, its arguments or trip counts", NoIndex});
}

/// What to do about derived numbers, and what it changes.
static std::string whatCalibrationChanges(const DeviceModel &Device) {
  const std::string Remedy =
      "gpu-occupancy-calibrate measures " +
      std::to_string(numbersOfOrigin(Device, NumberOrigin::Derived)) +
      " numbers that are derived";
  std::optional<ExpectedError> Now = expectedError(Device);
  if (!Now)
    return Remedy + "; how far they are off is not known";
  return Remedy + ": times are off by " + formatNumber(100 * Now->Median) +
         " % in the median with them, by " +
         formatNumber(100 * ExpectedWhenMeasured.Median) +
         " % with measured ones";
}

static void addDeviceAssumptions(const KernelFacts &Facts,
                                 const DeviceModel &Device,
                                 std::vector<Assumption> &Out) {
  if (isDerived(Device))
    Out.push_back({"latencies and rates of " + Device.Name,
                   deviceBasis(Device) + " and data sheets",
                   whatCalibrationChanges(Device), NoIndex});
  if (Facts.View != MachineView::Sass && !areRulesChecked(Facts.Architecture))
    Out.push_back({"what the assembler makes of code for " + Facts.Architecture,
                   ("as for " + CheckedArchitecture +
                    ", with whose machine code the rules were checked")
                       .str(),
                   "", NoIndex});
}

/// What the prediction rests on beside lane evaluation.
static void addAssumptions(const KernelFacts &Facts, const Launch &L,
                           const Prediction &P, const DeviceModel &Device,
                           ExecutionProfile &Profile) {
  std::vector<Assumption> &Out = Profile.Assumptions;
  addDeviceAssumptions(Facts, Device, Out);
  for (const LaunchNote &Note : L.Notes)
    Out.push_back({Note.What, Note.Said, Note.Why, NoIndex});
  if (Facts.UsesDynamicShared &&
      L.DynamicSharedBytes.Source.by() == GivenBy::Nobody)
    Out.push_back({"dynamic shared memory",
                   formatNumber(double(L.DynamicSharedBytes.Value)) + " B",
                   "give the launch (shared=...)", NoIndex});
  if (Facts.Resources.IsEstimate)
    Out.push_back({"registers per thread",
                   std::to_string(Facts.Resources.RegistersPerThread) +
                       " (estimate; half are within " +
                       formatPercent(RegisterEstimateError::Median) +
                       ", nine of ten within " +
                       formatPercent(RegisterEstimateError::NineOfTen) + ")",
                   "install ptxas to have them exactly", NoIndex});
  if (!P.Borrowed.empty())
    Out.push_back({formatCount(double(P.Borrowed.size()), "number") +
                       " that the device database lacks",
                   join(P.Borrowed, ", "),
                   isCalibrated(Device) ? "" : "calibrate the device",
                   NoIndex});
  addDoubt(P, Out);
}

/// Says so where a kernel comes after the budget of questions is spent.
static constexpr StringLiteral LeftQuestions =
    "which arguments decide the time, and what lies behind branches that no "
    "warp takes: other kernels of the module took what the plugin spends on "
    "it; gpu-occupancy analyze has no such limit";

/// Would something be asked of a kernel with that profile?
static bool hasQuestions(const KernelFacts &Facts, const Launch &L,
                         const ExecutionProfile &Profile,
                         const AssessOptions &Options) {
  return PricingBudget(Facts.Operations.size()).perRule() != 0 &&
         (any_of(Profile.BranchProbabilities, isOneSided) ||
          !assumedArguments(Facts, L, Options.Lanes).empty());
}

/// Gives \p Facts the registers that \p Device has for device printf, which the
/// assembler does not see.
static void takeLinkedRegisters(const DeviceModel &Device, KernelFacts &Facts) {
  const std::optional<unsigned> Least =
      archLimitsOrNone(Device.Architecture).PrintfRegisters;
  ResourceUse &Use = Facts.Resources;
  const bool Prints = any_of(Facts.Operations, [](const Operation &Op) {
    return any_of(Op.Queued, [](const QueuedCall &C) {
      return C.Function == QueuedFunction::Printf;
    });
  });
  if (!Least || !Prints || Use.RegistersPerThread == 0 ||
      Use.RegistersPerThread >= *Least)
    return;
  Use.RegistersPerThread = *Least;
  Use.Source += ", printf of the driver";
}

/// \p Facts may have code for the spills of \p Unspilled; \p Walked: where
/// their lanes are walked in other facts of the kernel, these.
static Expected<KernelReport>
assessWith(KernelFacts Facts, const KernelFacts &Unspilled, Launch L,
           Predictor &Model, const AssessOptions &Options, Profiler Profile,
           const KernelFacts *Walked = nullptr) {
  const DeviceModel &Device = Model.device();
  Expected<const ArchLimits &> Limits = archLimits(Device.Architecture);
  if (!Limits)
    return Limits.takeError();
  BlockResources Block = blockResources(Facts, L);
  std::vector<std::string> Problems = launchProblems(*Limits, Block);
  llvm::append_range(Problems, extentProblems(L));
  if (!Problems.empty())
    return createStringError("kernel '" + Facts.Demangled + "' cannot run on " +
                             Device.Name + ": " + Problems.front());

  KernelReport R;
  R.Device = Device.Name;
  R.DeviceBasis = deviceBasis(Device);
  R.Profile = Profile(Facts, L,
                      geometryOf(Device, occupancy(*Limits, Block).BlocksPerSm),
                      ProfileEffort());
  if (Model.mechanisms().has(Mechanism::SlowPaths))
    addSlowPaths(R.Profile, Facts);
  R.Predicted = Model.predict(Facts, R.Profile, L);
  // Arguments that decide what is predicted are named before all others.
  const bool LeavesQuestions =
      Options.Questions && Options.Questions->isSpent();
  std::vector<std::string> Deciding;
  if (!LeavesQuestions)
    Deciding =
        decidingArguments(Walked ? *Walked : Facts, Facts, L, R.Profile,
                          R.Predicted.BlocksPerSm, Device, Options, Profile);
  else if (hasQuestions(Walked ? *Walked : Facts, L, R.Profile, Options))
    Facts.Gaps.push_back({NoIndex, LeftQuestions.str()});
  if (!Deciding.empty()) {
    R.Predicted.Time = Known<TimeEstimate>::unknown(undecidedText(Deciding));
    std::vector<Assumption> Others;
    for (Assumption &A : std::exchange(R.Profile.Assumptions, {})) {
      StringRef Name = A.What;
      const bool Decides =
          Name.consume_front("argument ") && is_contained(Deciding, Name);
      (Decides ? R.Profile.Assumptions : Others).push_back(std::move(A));
    }
    append_range(R.Profile.Assumptions, std::move(Others));
  }
  if (Options.SweepSizes)
    R.OverSizes =
        sweepSizes(Walked ? *Walked : Facts, Facts, L, Model, Options, Profile);
  if (Facts.Operations.empty())
    R.Predicted.Time = Known<TimeEstimate>::unknown(
        "the instructions of the kernel were not read");
  const std::vector<std::string> OfGeometry =
      borrowedForGeometry(Device, Facts);
  const double OffByBorrowed =
      !OfGeometry.empty()
          ? DerivedNumbersFactor
          : Model.offByBorrowed(Facts, R.Profile, L, R.Predicted,
                                DerivedNumbersFactor);
  append_range(R.Predicted.Borrowed, OfGeometry);
  llvm::sort(R.Predicted.Borrowed);
  R.Predicted.Borrowed.erase(llvm::unique(R.Predicted.Borrowed),
                             R.Predicted.Borrowed.end());
  const WarpWork Work = warpWork(Facts, R.Profile, Device);
  R.Achieved = achievedRates(Facts, R.Profile, Work, L, R.Predicted, Device);
  R.OnRoofline = roofline(Work, gigaWarpsPerSecond(L, R.Predicted, Device),
                          R.Predicted, Device);
  R.InParallel = Model.parallelism(Facts, R.Profile, L);
  R.OverOccupancy = occupancyRoofline(R.Predicted, R.InParallel, Device);
  R.Facts = std::move(Facts);
  R.Launched = std::move(L);
  R.Predicted.Interval = intervalOf(R.Facts, R.Profile, R.Predicted, R.Launched,
                                    Device, OffByBorrowed);
  append_range(R.Profile.Assumptions, Options.Beforehand);
  addAssumptions(R.Facts, R.Launched, R.Predicted, Device, R.Profile);

  PricingBudget Budget(R.Facts.Operations.size());
  Case C{R.Facts, Unspilled, R.Launched, R.Profile, R.Predicted, Device,
         *Limits, Block,     Options,    Model,     Budget,      R.InParallel};
  C.Deciding = Deciding;
  C.LeavesQuestions = LeavesQuestions;
  Findings There = findWhereTaken(C, Profile, R.Profile.BranchProbabilities);
  coverOtherWays(R.Predicted, R.Profile.BranchProbabilities);
  coverDrawnNeighbors(R.Predicted, timeOfDrawnNeighbors(C));
  const Findings Found = findAll(C, std::move(There));
  R.Findings.assign(Found.begin(), Found.end());
  if (Options.AdviseLaunches)
    R.Planned = planChanges(C, Found);
  return R;
}

static AssessOptions withMechanisms(AssessOptions Options,
                                    const Mechanisms &Used) {
  Options.Lanes.Used = Used;
  return Options;
}

Expected<KernelReport> gpuocc::assess(KernelFacts Facts, Launch L,
                                      const DeviceModel &Device,
                                      const AssessOptions &Options) {
  Predictor Model(Device, Options.Lanes.Used);
  return assess(std::move(Facts), std::move(L), Model, Options);
}

Expected<KernelReport> gpuocc::assess(KernelFacts Facts, Launch L,
                                      Predictor &Model,
                                      const AssessOptions &Options) {
  takeTensorBoxes(L, Facts);
  takeLinkedRegisters(Model.device(), Facts);
  const AssessOptions Own = withMechanisms(Options, Model.mechanisms());
  takeCopyBytes(L, Own.Lanes, Facts);
  const Dim3 Block = L.Block.Value;
  const std::optional<Dim3> Grid =
      L.Grid ? std::optional(L.Grid->Value) : std::nullopt;
  auto Profile = [&](const KernelFacts &F, const Launch &Of,
                     const MemoryGeometry &Geometry,
                     const ProfileEffort &Effort) {
    ExecutionProfile P =
        profileLaunch(F, Of, Geometry, Effort.of(Own.Lanes), Effort.Levels);
    // What warps execute in other grids and blocks was not seen.
    if (Own.Executed && Of.Grid && Of.Grid->Value == Grid &&
        Of.Block.Value == Block)
      takeExecuted(*Own.Executed, F, P);
    return P;
  };
  return assessWith(withSpillCode(Facts), Facts, std::move(L), Model, Own,
                    Profile);
}

Expected<KernelReport> gpuocc::assessMachineCode(KernelFacts Mir,
                                                 KernelFacts Sass, Launch L,
                                                 Predictor &Model,
                                                 const AssessOptions &Options) {
  takeTensorBoxes(L, Mir);
  takeLinkedRegisters(Model.device(), Mir);
  takeLinkedRegisters(Model.device(), Sass);
  const AssessOptions Own = withMechanisms(Options, Model.mechanisms());
  takeCopyBytes(L, Own.Lanes, Mir);
  ViewJoin Join = joinViews(Mir, Sass);
  if (!Join.isGood()) {
    Mir.Gaps.push_back(
        {NoIndex, "machine code: only " + formatPercent(Join.JoinedOps) +
                      " of its instructions and " +
                      formatPercent(Join.JoinedAccesses) +
                      " of its accesses lead back to the compiler's"});
    return assess(std::move(Mir), std::move(L), Model, Options);
  }
  KernelFacts Reached = withoutPredication(std::move(Mir));
  return assessWith(
      Sass, Sass, std::move(L), Model, Own,
      [&](const KernelFacts &F, const Launch &Of,
          const MemoryGeometry &Geometry, const ProfileEffort &Effort) {
        ExecutionProfile Profile = profileLaunch(
            Reached, Of, Geometry, Effort.of(Own.Lanes), Effort.Levels);
        return projectProfile(Join, Reached, Profile, F, Geometry);
      },
      &Reached);
}
