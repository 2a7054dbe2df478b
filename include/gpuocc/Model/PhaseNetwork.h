//===- PhaseNetwork.h - Warps that share a scheduler ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_PHASENETWORK_H
#define GPUOCC_MODEL_PHASENETWORK_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// A part of a warp's life in which it holds one resource again and again: so
/// many cycles pass when the warp is alone, for so many of which the resource
/// is in exclusive use.
struct WarpPhase {
  double LatencyCycles = 0;
  double BusyCycles = 0;
};

/// Warps that take turns in the phases of their lives, each with a resource of
/// its own, and wait elsewhere (for memory) in between.
///
/// With k warps in a phase, the phase completes
///
///   mu(k) = min(k / latency, 1 / busy)
///
/// warps per cycle: the model of Volkov 2016, section 3.5, for that phase
/// alone. How many warps are in which phase is chance, since waits for memory
/// vary: a closed queueing network whose phases are stations with
/// load-dependent, shared service and whose wait is a station with room for
/// all. Its throughput has the product form
///
///   X(n) = G(n - 1) / G(n),
///   G(n) = sum over i of g(i) wait^(n - i) / (n - i)!,
///
/// with g the convolution over the phases of the products of 1 / mu(1..k).
/// Nothing but means enters: neither of the two kinds of station depends on
/// more of its distribution. With one phase and no wait X is min(n / latency,
/// 1 / busy); with waits or several phases it rises to the bound gradually.
///
/// Source: Baskett, Chandy, Muntz and Palacios 1975, "Open, closed, and mixed
/// networks of queues with different classes of customers"; Buzen 1973,
/// "Computational algorithms for closed queueing networks". Volkov names
/// interference between warps of a scheduler as a cause of gradual saturation
/// (sections 3.5 and 6.5) without a model of it.
class PhaseNetwork {
public:
  /// \p Phases of one warp; those without latency take no part. Throughput is
  /// known for up to \p MaxWarps. \p CyclesOfLoop, unless empty, is one more
  /// phase, of which more is known: 1 / mu(1), 1 / mu(2), ...; the last holds
  /// for more warps, too.
  PhaseNetwork(llvm::ArrayRef<WarpPhase> Phases, unsigned MaxWarps,
               llvm::ArrayRef<double> CyclesOfLoop = {});

  /// Warps per cycle that go through all phases when \p Warps take part and
  /// each also spends \p WaitCycles elsewhere. Between whole numbers of warps
  /// the result is interpolated: some schedulers have one warp more.
  ///
  /// 0 <= Warps <= MaxWarps, WaitCycles >= 0; infinite when no time passes.
  double throughput(double Warps, double WaitCycles) const;

private:
  /// Adds a phase whose 1 / mu(k) is \p Services[k - 1].
  void add(llvm::ArrayRef<double> Services);

  /// g(i) / UnitCycles^i.
  std::vector<double> Ways;
  double UnitCycles = 1;
  double LatencyCycles = 0;
};

} // namespace gpuocc

#endif // GPUOCC_MODEL_PHASENETWORK_H
