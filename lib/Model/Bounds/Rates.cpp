//===- Rates.cpp - What a launch achieves, and of what peak ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Rates.h"
#include "Bounds/ProductFlops.h"
#include "Numbers/Numbers.h"
#include "Numbers/OperationKinds.h"
#include "Numbers/OperationLatency.h"
#include "Numbers/WarpTraffic.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;

Known<double> Rate::fraction() const {
  if (!Peak)
    return Peak;
  if (!(*Peak > 0))
    return Known<double>::unknown("the peak is zero");
  return Value / *Peak;
}

Known<double> Rate::share() const { return Peak && Busy ? Busy : fraction(); }

/// \p A times \p B; the first reason when one of them is unknown.
static Known<double> times(const Known<double> &A, const Known<double> &B) {
  if (!A || !B)
    return A ? B : A;
  return *A * *B;
}

Known<double> gpuocc::dramPeak(double Read, double Written,
                               const DeviceModel &Device) {
  const Known<double> OfRead = Device.get(Quantity::DramReadBytesPerCycle);
  const Known<double> OfWrite = Device.get(Quantity::DramWriteBytesPerCycle);
  const Known<double> OfCopy = Device.get(Quantity::DramCopyBytesPerCycle);
  if (!OfRead || Read + Written <= 0)
    return OfRead;
  const double Both = std::min(Read, Written);
  const double WriteRate = OfWrite.valueOr(*OfRead);
  const double Balanced =
      OfCopy ? 2 * Both / *OfCopy : Both / *OfRead + Both / WriteRate;
  const double Cycles =
      Balanced + (Read - Both) / *OfRead + (Written - Both) / WriteRate;
  return (Read + Written) / Cycles;
}

Known<double> gpuocc::l2Peak(double Read, double Written,
                             const DeviceModel &Device) {
  const Known<double> OfRead = Device.get(Quantity::L2ReadBytesPerCycle);
  if (!OfRead || Read + Written <= 0)
    return OfRead;
  const double OfWrite =
      Device.get(Quantity::L2WriteBytesPerCycle).valueOr(*OfRead);
  return (Read + Written) / (Read / *OfRead + Written / OfWrite);
}

Known<double> gpuocc::issuePeak(const DeviceModel &Device) {
  return times(Device.get(Quantity::SchedulersPerSm),
               Device.get(Quantity::IssuePerScheduler)
                       .valueOr(defaultNumber(Quantity::IssuePerScheduler)) *
                   Device.get(Quantity::IssueWidth)
                       .valueOr(defaultNumber(Quantity::IssueWidth)));
}

Known<double> gpuocc::chipGigaCycles(const DeviceModel &Device) {
  constexpr double GigaPerMega = 1e-3;
  return times(
      times(Device.get(Quantity::SmCount), Device.get(Quantity::SmClockMhz)),
      GigaPerMega);
}

double gpuocc::gigaWarpsPerSecond(const Launch &L, const Prediction &P,
                                  const DeviceModel &Device) {
  if (L.Grid && P.Time && P.Time->Ns > 0)
    return double(L.Grid->Value.count()) * double(L.warpsPerBlock()) /
           P.Time->Ns;
  return P.WarpsPerCycle * chipGigaCycles(Device).valueOr(0);
}

/// Operations per cycle and SM of the fastest class of \p Kind; of products of
/// warp groups where the kernel has some (\p InGroups), which warps alone do
/// not reach.
static Known<double> flopPeak(FlopKind Kind, bool InGroups,
                              const DeviceModel &Device) {
  Known<double> Best = Known<double>::unknown(
      ("no class of " + flopKindText(Kind) + " was measured").str());
  for (unsigned I = 0; I != NumInstClasses; ++I) {
    WarpFlops F = warpFlops(InstClass(I));
    if (InGroups && F.PerInstruction == 0)
      F = productFlops(InstClass(I), Kind);
    if (F.Kind != Kind || F.PerInstruction <= 0)
      continue;
    const Known<double> Throughput =
        Device.get(InstClass(I), TimingField::ThroughputPerCycleSm);
    if (Throughput && *Throughput * F.PerInstruction > Best.valueOr(0))
      Best = *Throughput * F.PerInstruction;
  }
  return Best;
}

namespace {

/// Loads of one warp over its life that L2 or DRAM serves.
struct WaitingLoads {
  double Loads = 0, Bytes = 0;
};

} // namespace

static WaitingLoads waitingLoads(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile,
                                 Resource Level, Numbers &N) {
  WaitingLoads Out;
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &P = Profile.Accesses[I];
    if (A.Kind != AccessKind::Load || !isCached(A.Space))
      continue;
    const OperationLatency Latency = accessLatency(A, P, N);
    const AccessTraffic T = accessTraffic(A, P, N.sectorBytes());
    const bool OfDram = Level == Resource::Dram;
    Out.Loads +=
        P.RequestsPerWarp * (OfDram ? Latency.DramShare : Latency.L2Share);
    Out.Bytes += P.RequestsPerWarp *
                 (OfDram ? T.DramReadBytes : T.L2ReadBytes - T.DramReadBytes);
  }
  return Out;
}

static LoadsInFlight inFlight(Resource Level, const WaitingLoads &OfWarp,
                              const Prediction &P, Numbers &N,
                              const DeviceModel &Device) {
  const bool OfDram = Level == Resource::Dram;
  const Known<double> Latency =
      Device.get(OfDram ? Quantity::DramLatency : Quantity::L2HitLatency);
  const double Cycles =
      Latency.valueOr(OfDram ? N.dramLatency() : N.l2HitLatency());
  // Warps per cycle as long as nothing queues (Volkov 2016, section 3.5).
  const double Warps = P.ActiveWarpsPerSm / P.Latency.CyclesPerWarp;
  LoadsInFlight Out;
  Out.Level = Level;
  Out.LoadsPerSm = Warps * OfWarp.Loads * Cycles;
  Out.BytesPerSm = Warps * OfWarp.Bytes * Cycles;
  Out.NeededBytesPerSm =
      times(Latency, Device.get(OfDram ? Quantity::DramReadBytesPerCycle
                                       : Quantity::L2ReadBytesPerCycle));
  if (OfWarp.Bytes > 0)
    Out.NeededLoadsPerSm =
        times(Out.NeededBytesPerSm, OfWarp.Loads / OfWarp.Bytes);
  return Out;
}

static std::vector<LoadsInFlight> loadsInFlight(const KernelFacts &Facts,
                                                const ExecutionProfile &Profile,
                                                const Prediction &P,
                                                const DeviceModel &Device) {
  std::vector<LoadsInFlight> Out;
  if (P.Latency.CyclesPerWarp <= 0)
    return Out;
  Numbers N(Device);
  for (Resource Level : {Resource::Dram, Resource::L2})
    if (WaitingLoads Of = waitingLoads(Facts, Profile, Level, N); Of.Loads > 0)
      Out.push_back(inFlight(Level, Of, P, N, Device));
  return Out;
}

Rates gpuocc::achievedRates(const KernelFacts &Facts,
                            const ExecutionProfile &Profile,
                            const WarpWork &Work, const Launch &L,
                            const Prediction &P, const DeviceModel &Device) {
  const double Warps = gigaWarpsPerSecond(L, P, Device);
  const Known<double> Chip = chipGigaCycles(Device);
  auto OfChip = [&](double PerWarp, const Known<double> &PeakPerCycle) {
    return Rate{Warps * PerWarp, times(PeakPerCycle, Chip)};
  };
  auto OfUnit = [&](double PerWarp, const Known<double> &PeakPerCycle,
                    Resource Unit) {
    Rate Out = OfChip(PerWarp, PeakPerCycle);
    if (const double Busy = P.Busy[size_t(Unit)]; Busy > 0)
      Out.Busy = Busy;
    return Out;
  };
  Rates Out;
  Out.OfWholeLaunch = L.Grid && P.Time;
  Out.DramGBs =
      OfUnit(Work.dramBytes(),
             dramPeak(Work.DramReadBytes, Work.DramWriteBytes, Device),
             Resource::Dram);
  Out.L2GBs =
      OfUnit(Work.l2Bytes(),
             l2Peak(Work.L2ReadBytes, Work.L2WriteBytes, Device), Resource::L2);
  Out.L1GBs = OfUnit((Work.GlobalTransactions + Work.LocalTransactions) *
                         sectorBytes(Device),
                     Device.get(Quantity::L1BytesPerCycle), Resource::L1);
  Out.SharedGBs =
      OfUnit(Work.SharedTransactions * sharedTransactionBytes(Device),
             Device.get(Quantity::SharedBytesPerCycle), Resource::Shared);
  Out.Gips = OfUnit(Work.WarpInstructions, issuePeak(Device), Resource::Issue);
  Out.Ipc = {Chip && *Chip > 0 ? Out.Gips.Value / *Chip : 0, issuePeak(Device),
             Out.Gips.Busy};
  const bool InGroups = llvm::any_of(Facts.Operations, isWarpGroupProduct);
  for (unsigned K = 0; K != NumFlopKinds; ++K)
    if (Work.Flops[K] > 0)
      Out.Flops.push_back(
          {FlopKind(K),
           OfChip(Work.Flops[K], flopPeak(FlopKind(K), InGroups, Device))});
  Out.InFlight = loadsInFlight(Facts, Profile, P, Device);
  return Out;
}
