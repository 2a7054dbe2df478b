//===- Huang.h - the model of Huang et al. 2014 -----------------*- C++ -*-===//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_BASELINES_HUANG_H
#define GPUOCC_TOOLS_ACCURACY_BASELINES_HUANG_H

#include "AlphaMix.h"

namespace gpuocc::huang {

/// How a scheduler picks the next warp.
enum class Policy { RoundRobin, GreedyThenOldest };

/// The memory system as the bandwidth term sees it.
struct Bandwidth {
  /// SMs that share memory.
  double Cores = 0;
  /// Cycles to transfer one 128-byte transaction at pin bandwidth.
  double ServiceCycles = 0;
  /// Transactions of one memory instruction: 1 coalesced, 2 with stride 2.
  double TransactionsPerAccess = 1;
};

/// Cycles per instruction of one scheduler, which issues at most one
/// instruction a cycle, with \p Warps on it:
///
///   (mem_lat + alpha alu_lat + NO) / (warps (alpha + 1))
///
/// NO is 0 for round-robin; for greedy-then-oldest it is the sum over the
/// instructions of a group of
///
///   max(0, min(p (latency - 1), 1) (warps - 1) - latency + 1),
///   p = (alpha + 1) / (mem_lat + alpha alu_lat)
///
/// Throughput limits of memory are not considered.
/// Source: Huang et al. 2014, equations 3 and 7 to 16; Volkov 2016, sections
/// 7.5 and 7.6.
double multithreadingCpi(const AlphaMix &M, Policy P, double Warps);

/// Cycles that a memory instruction waits for bandwidth:
///
///   min(l s^2 / (2 (1 - l s)), s warps transactions cores / 2),
///   l = warps transactions cores / mem_lat
///
/// Negative where l s exceeds 1, singular at 1.
/// Source: Huang et al. 2014, equations 21 to 23; Volkov 2016, sections 7.7 and
/// 7.8.
double bandwidthDelay(const AlphaMix &M, const Bandwidth &B, double Warps);

/// multithreadingCpi() and the bandwidth delay of its memory instruction.
///
/// Source: Huang et al. 2014, equations 3 and 17; Volkov 2016, section 7.7.
double contendedCpi(const AlphaMix &M, Policy P, const Bandwidth &B,
                    double Warps);

/// Groups per cycle and SM with \p Warps resident on \p Schedulers.
///
/// Source: Volkov 2016, section 7.5 (warps and throughput per scheduler).
double throughput(const AlphaMix &M, Policy P, double Schedulers, double Warps);

/// The same with the bandwidth term; may be negative.
double contendedThroughput(const AlphaMix &M, Policy P, const Bandwidth &B,
                           double Schedulers, double Warps);

} // namespace gpuocc::huang

#endif // GPUOCC_TOOLS_ACCURACY_BASELINES_HUANG_H
