//===- CannotRun.cpp - A launch that fails or hangs on the device ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "RegisterPool.h"
#include "Rules.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Model/LaunchExtents.h"
#include "gpuocc/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A limit that a launch exceeds, with both numbers, and what keeps to it;
/// empty where nothing small does.
struct Refusal {
  std::string Why, Remedy;
};

/// One launch on one device.
struct Request {
  const KernelFacts &Facts;
  const Launch &Launched;
  const DeviceModel &Device;
  const ArchLimits &Limits;
  BlockResources Block;
};

using Refusals = std::vector<Refusal>;

} // namespace

/// The largest block, in whole warps, whose registers a block can have.
static unsigned threadsForRegisters(const Request &R) {
  BlockResources Smaller = R.Block;
  const unsigned WarpSize = 32;
  while (Smaller.Threads > WarpSize) {
    Smaller.Threads = (Smaller.Threads - 1) / WarpSize * WarpSize;
    if (launchProblems(R.Limits, Smaller).empty())
      return Smaller.Threads;
  }
  return 0;
}

static std::string registersRemedy(const Request &R) {
  std::string Text;
  if (std::optional<unsigned> Most = maxRegistersFor(R.Limits, R.Block, 1))
    Text = "__launch_bounds__(" + std::to_string(R.Block.Threads) +
           ") makes the compiler keep to " + std::to_string(*Most) +
           " registers";
  if (unsigned Threads = threadsForRegisters(R))
    Text += ((Text.empty() ? "" : ", and ") + Twine("blocks of ") +
             Twine(Threads) + " threads fit as they are")
                .str();
  return Text;
}

/// Registers, shared memory, threads, barriers and size of a cluster.
static void addResources(const Request &R, Refusals &Out) {
  for (std::string &Why : launchProblems(R.Limits, R.Block)) {
    Refusal Of{std::move(Why), ""};
    if (StringRef(Of.Why).contains("without opting in"))
      Of.Remedy = "call cudaFuncSetAttribute(kernel, "
                  "cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                  std::to_string(R.Launched.DynamicSharedBytes.Value) +
                  ") before the launch, which nothing in this source does";
    else if (StringRef(Of.Why).contains("registers, "))
      Of.Remedy = registersRemedy(R);
    Out.push_back(std::move(Of));
  }
}

/// Extents of a block that has too many threads are the same limit again.
static void addExtents(const Request &R, Refusals &Out) {
  const bool HasTooMany =
      R.Block.Threads > R.Limits.MaxThreadsPerBlock.value_or(~0u);
  for (std::string &Why : extentProblems(R.Launched))
    if (!HasTooMany || !StringRef(Why).starts_with("block "))
      Out.push_back({std::move(Why), ""});
}

/// What the kernel promised to the compiler.
static void addBounds(const Request &R, Refusals &Out) {
  const Dim3 &Block = R.Launched.Block.Value;
  auto [X, Y, Z] = R.Facts.Bounds.RequiredBlock;
  const Dim3 Required = {X, std::max(Y, 1u), std::max(Z, 1u)};
  if (X != 0 && !(Block == Required))
    Out.push_back({"block is " + formatDim(Block) +
                       ", the kernel requires blocks of " + formatDim(Required),
                   ""});
  const unsigned Most = R.Facts.Bounds.MaxThreads;
  if (Most != 0 && Block.count() > Most)
    Out.push_back({"block has " + std::to_string(Block.count()) +
                       " threads, the launch bound of the kernel is " +
                       std::to_string(Most),
                   ""});
}

/// A cluster of a size that only some devices run, and kernels must allow.
static void addCluster(const Request &R, Refusals &Out) {
  const uint64_t Blocks = R.Launched.Cluster.count();
  const std::optional<unsigned> Portable = R.Limits.MaxClusterBlocks;
  if (R.Launched.Allowed.MayRaiseCluster || !Portable || Blocks <= *Portable)
    return;
  Out.push_back({"cluster has " + std::to_string(Blocks) + " blocks, " +
                     R.Limits.Name + " allows " + std::to_string(*Portable) +
                     " where the kernel does not allow other sizes",
                 "set cudaFuncAttributeNonPortableClusterSizeAllowed of the "
                 "kernel, which nothing in this source does"});
}

/// How many blocks are resident at once where all SMs have as many as they can;
/// absent where the number of SMs is not known, or none fits.
static std::optional<uint64_t> residentBlocks(const Request &R) {
  const Known<double> Sms = R.Device.get(Quantity::SmCount);
  const uint64_t PerSm = occupancy(R.Limits, R.Block).BlocksPerSm;
  if (!Sms || PerSm == 0)
    return std::nullopt;
  return PerSm * uint64_t(std::llround(*Sms));
}

/// Blocks of a cluster are resident at once. They share a group of SMs, whose
/// size differs between chips: the SMs of the device are what is certain.
static void addClusterPlace(const Request &R, Refusals &Out) {
  const uint64_t Blocks = R.Launched.Cluster.count();
  const std::optional<uint64_t> Resident = residentBlocks(R);
  if (!Resident || Blocks <= *Resident)
    return;
  Out.push_back(
      {"cluster has " + std::to_string(Blocks) + " blocks, of which " +
           std::to_string(*Resident) +
           " can be resident: none can be scheduled",
       "launch clusters of at most " + std::to_string(*Resident) + " blocks"});
}

/// Blocks of a cooperative grid wait for each other: all must be resident.
static void addCooperative(const Request &R, Refusals &Out) {
  const std::optional<uint64_t> Resident = residentBlocks(R);
  if (!R.Launched.Allowed.IsCooperative || !R.Launched.Grid || !Resident)
    return;
  const uint64_t PerSm = occupancy(R.Limits, R.Block).BlocksPerSm;
  const uint64_t Blocks = R.Launched.Grid->Value.count();
  if (Blocks <= *Resident)
    return;
  Out.push_back({"the grid of a cooperative launch has " +
                     std::to_string(Blocks) + " blocks, of which " +
                     std::to_string(*Resident) + " can be resident (" +
                     formatCount(double(PerSm), "block") + " on each of " +
                     formatCount(double(*Resident / PerSm), "SM") + ")",
                 "launch at most " + std::to_string(*Resident) +
                     " blocks, which loop over the work"});
}

using RefusalFunction = void (*)(const Request &R, Refusals &Out);
static constexpr RefusalFunction RefusalTable[] = {
    addResources, addExtents,      addBounds,
    addCluster,   addClusterPlace, addCooperative};

static Refusals refusalsOf(const Request &R) {
  Refusals Out;
  for (RefusalFunction Add : RefusalTable)
    Add(R, Out);
  return Out;
}

/// "'k(float*)' cannot run on nvidia-h200: WHY; REMEDY".
static Finding findingOf(const Refusal &Of, const KernelFacts &Facts,
                         StringRef Device, SourceLocation Location) {
  FindingWriter W(RuleId::CannotRun, std::move(Location));
  W << "'" << Facts.Demangled << "' cannot run on " << named("Device", Device)
    << ": " << named("Why", Of.Why);
  if (!Of.Remedy.empty())
    W << "; " << named("Remedy", Of.Remedy);
  return std::move(W.finding());
}

std::optional<KernelReport> gpuocc::refuse(const KernelFacts &Facts,
                                           const Launch &L,
                                           const DeviceModel &Device,
                                           const SourcePlace &LaunchedAt) {
  Expected<const ArchLimits &> Limits = archLimits(Device.Architecture);
  if (!Limits) {
    consumeError(Limits.takeError());
    return std::nullopt;
  }
  Request R{Facts, L, Device, *Limits, blockResources(Facts, L)};
  if (!L.Allowed.MayRaiseShared)
    R.Block.OptIn = SharedOptIn::No;
  if (Facts.Resources.IsEstimate)
    R.Block.RegistersPerThread = unsigned(
        R.Block.RegistersPerThread / (1 + RegisterEstimateError::NineOfTen));
  const Refusals Found = refusalsOf(R);
  if (Found.empty())
    return std::nullopt;
  SourceLocation Where = kernelLocation(Facts);
  if (LaunchedAt.isValid())
    Where.Places = {LaunchedAt};
  KernelReport Out;
  Out.Facts = Facts;
  Out.Launched = L;
  Out.Device = Device.Name;
  Out.DeviceBasis = deviceBasis(Device);
  for (const Refusal &Of : Found)
    Out.Findings.push_back(findingOf(Of, Facts, Device.Name, Where));
  return Out;
}

std::optional<KernelReport> gpuocc::refuse(const KernelReport &R) {
  KernelReport Out;
  copy_if(R.Findings, std::back_inserter(Out.Findings),
          [](const Finding &F) { return F.Rule == RuleId::CannotRun; });
  if (Out.Findings.empty())
    return std::nullopt;
  Out.Facts = R.Facts;
  Out.Launched = R.Launched;
  Out.Device = R.Device;
  Out.DeviceBasis = R.DeviceBasis;
  return Out;
}

KernelReport gpuocc::refuse(const KernelReport &R, StringRef Device,
                            std::string Why, std::string Remedy) {
  KernelReport Out;
  Out.Facts = R.Facts;
  Out.Launched = R.Launched;
  Out.Device = Device.str();
  Out.Findings.push_back(findingOf({std::move(Why), std::move(Remedy)}, R.Facts,
                                   Device, kernelLocation(R.Facts)));
  return Out;
}

/// What only the profile of a launch shows; assess() refuses the rest.
void gpuocc::findCannotRun(const Case &C, Findings &Out) {
  auto Add = [&](const Refusal &Of, uint32_t Location) {
    static_cast<Finding &>(Out.emplace_back()) = findingOf(
        Of, C.Facts, C.Device.Name, locationOrKernel(C.Facts, Location));
  };
  if (std::optional<RegisterPoolDeficit> Missing =
          registerPoolDeficit(C.Facts, C.Profile, C.Launched))
    Add({"setmaxnreg asks for " + formatNumber(Missing->Wanted) +
             " registers per thread in the mean of the block, which starts "
             "with " +
             std::to_string(C.Facts.Resources.RegistersPerThread) +
             "; warps that ask for more wait for ever",
         "let the other warp groups give more registers back, or ask for "
         "fewer"},
        Missing->Location);
  if (std::optional<TensorMemoryExcess> Excess =
          tensorMemoryExcess(C.Facts, C.Profile))
    Add({"the kernel allocates " + std::to_string(Excess->Columns) +
             " columns of tensor memory, an SM has " +
             std::to_string(TensorMemoryColumns),
         ""},
        Excess->Location);
}
