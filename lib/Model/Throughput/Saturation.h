//===- Saturation.h - Throughput over occupancy -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_THROUGHPUT_SATURATION_H
#define GPUOCC_LIB_MODEL_THROUGHPUT_SATURATION_H

#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Model/PhaseNetwork.h"
#include <array>

namespace gpuocc {

/// Latency of one warp as a function of the delays that load adds, sampled so
/// that solving costs little.
class LoadedLatency {
public:
  /// \p Warp is asked again later. \p Mean: the profile of the mean warp of its
  /// block.
  LoadedLatency(const WarpLatency &Warp, const ExecutionProfile &Mean);

  double cycles(const MemoryDelay &Delay) const;
  double unloaded() const { return Unloaded; }
  /// Of the unloaded ones: at barriers.
  double atBarriers() const { return AtBarriers; }

  /// Of these: what the SM takes, without waits for L2 and DRAM, and the parts
  /// of that in which the warp waits for one pipe.
  double onSm() const { return OnSm; }
  double waitsFor(Resource Pipe) const { return Waits[size_t(Pipe)]; }

  /// The block of the warp, if its warps meet at barriers.
  const std::optional<WarpLatency::WholeBlock> &wholeBlock() const {
    return Block;
  }

  /// The loop in which the warp spends most of that time, if it waits for
  /// nothing that varies there.
  struct SteadyPart {
    /// Cycles of one scheduler per warp that goes through it, when 1, 2, ...
    /// warps do; the last for more, too.
    std::vector<double> CyclesPerWarp;
    double IssueCycles = 0;
    PerResource<double> PipeCycles = {};
  };
  const std::optional<SteadyPart> &steadyPart() const { return Steady; }

  /// Of the waits for L2 and DRAM: the fraction that directly follows a loop's
  /// branch back.
  double fractionAfterBranchesBack() const { return AfterBranchesBack; }

private:
  void findSteadyPart(const WarpLatency &Warp);

  static constexpr unsigned NumSamples = 7;
  static double sampleDelay(unsigned I);

  /// Extra warp cycles at a delay. Each sample is a walk through the code, and
  /// is taken when it is needed first.
  class Samples {
  public:
    /// \p Matters: cycles depend on the delay \p Which.
    Samples(const WarpLatency &Warp, double MemoryDelay::*Which, bool Matters)
        : Warp(Warp), Which(Which) {
      Taken[0] = 0;
      for (std::optional<double> &Sample : Taken)
        if (!Matters)
          Sample = 0;
    }
    double interpolate(double Delay, double Unloaded) const;

  private:
    double at(unsigned I, double Unloaded) const;

    const WarpLatency &Warp;
    double MemoryDelay::*Which;
    mutable std::array<std::optional<double>, NumSamples> Taken;
  };

  double Unloaded = 0, AtBarriers = 0, OnSm = 0;
  PerResource<double> Waits = {};
  double AfterBranchesBack = 0;
  std::optional<SteadyPart> Steady;
  std::optional<WarpLatency::WholeBlock> Block;
  Samples OfL2, OfDram;
};

/// Warp throughput of an SM at any occupancy.
class Saturation {
public:
  /// The phases of a warp as one scheduler sees them, by the unit that they
  /// wait for, and the steady loop of SteadyPart; empty for none.
  struct WarpPhases {
    PerResource<WarpPhase> OfUnit = {};
    std::vector<double> CyclesOfLoop;
  };

  /// \p OneSm: ThroughputCycles::OneSm.
  Saturation(const LoadedLatency &Latency, const Prediction &P,
             const PerResource<double> &OneSm, double ReplacementCycles,
             unsigned WarpsPerBlock, Numbers &N);

  /// The same when what replaces a warp takes \p Cycles.
  Saturation withReplacement(double Cycles) const {
    Saturation Other = *this;
    Other.ReplacementCycles = Cycles;
    return Other;
  }

  /// Warps per cycle and SM with \p Warps resident, when the average SM of the
  /// chip holds \p ChipWarps (the same when negative): the fixed point of
  ///
  ///   x = min(bound, warps / k X(k; wait(x))), k = ceil(warps / schedulers)
  ///
  /// with X the throughput of warps that interfere in the phases of their
  /// lives (PhaseNetwork) and wait(x) the latency of memory under load. What
  /// the chip shares serves ChipWarps of each SM: an SM with more of them gets
  /// more of it, up to what one SM can have. The scheduler with most warps ends
  /// last, and the others idle at the end: five warps take as long as eight
  /// where a pipe of the schedulers is the bottleneck.
  ///
  /// Source: Volkov 2016, sections 3.5 and 6.5, which take warps / latency(x)
  /// in the place of X.
  double warpsPerCycle(double Warps, double ChipWarps = -1) const;

  /// The same without interference between warps: the fixed point of
  /// x = min(warps / latency(x), bound).
  ///
  /// Source: Volkov 2016, sections 3.5 and 6.5.
  double warpsPerCycleApart(double Warps) const;

  /// Mean warp latency at that throughput without queueing at the bound.
  double latencyAt(double WarpsPerCycle) const;

  double bound() const { return Bound; }

  /// Fewest warps that reach \p Fraction of the bound, which may exceed what an
  /// SM can hold; infinity where no number does, since warps get in each
  /// other's way.
  double neededWarps(double Fraction) const;

private:
  /// Warps of the fullest scheduler, and the mean of all schedulers over that.
  struct Share {
    double OfFullest = 0, Evenness = 1;
  };
  Share wholeWarps(double Warps) const;
  const PhaseNetwork &network(double Evenness) const;

  /// The bound where the mean SM completes \p Share of the warps of this one.
  double boundAt(double Share, double Evenness) const;
  /// Right side of the fixed point when memory serves \p ChipWarpsPerCycle.
  double interfering(double Warps, const Share &Of,
                     double ChipWarpsPerCycle) const;
  /// The same for blocks whose warps meet at barriers.
  double interferingBlocks(double Warps, double ChipWarpsPerCycle) const;

  const LoadedLatency &Latency;
  double Bound, ReplacementCycles;
  /// Cycles per warp of what schedulers and the SM have of their own, and of
  /// what the chip shares: while all SMs use it, and this one alone.
  struct SharedUse {
    double AllSms = 0, OneSm = 0;
  };
  double SchedulerCycles = 0, SmCycles = 0;
  std::array<SharedUse, 3> SharedUses;
  double L2BytesPerWarp, DramBytesPerWarp;
  double DramWriteCyclesPerWarp, DramWriteDelay;
  ContentionFit L2Fit, DramFit;
  bool HasL2Fit = false, HasDramFit = false;
  double Schedulers;
  /// Mechanism::Interference is used.
  bool Interferes;
  /// Cycles of a scheduler that a warp takes from the others, and the part of
  /// its waits that they cannot fill; 0 and 0 where warps do not convoy.
  double ConvoyBusy = 0, ConvoyWaitFraction = 0;
  /// 0: warps need not be whole.
  unsigned WarpsPerBlock;
  WarpPhases Phases;
  /// By evenness of the schedulers, as asked for.
  mutable std::vector<std::pair<double, PhaseNetwork>> Networks;
  /// The same of blocks whose warps meet at barriers, on one SM.
  PhaseNetwork BlockNetwork;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_THROUGHPUT_SATURATION_H
