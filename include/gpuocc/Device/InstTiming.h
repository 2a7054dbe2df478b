//===- InstTiming.h - How a device times an instruction class --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_INSTTIMING_H
#define GPUOCC_DEVICE_INSTTIMING_H

#include "gpuocc/Device/Number.h"
#include "gpuocc/Support/InstClass.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// Throughput measured at one point of the grid of ILP and warps.
struct ThroughputPoint {
  /// Independent instructions per warp between dependent ones.
  unsigned Ilp = 0;
  /// Warps per SM.
  unsigned Warps = 0;
  /// Warp instructions per cycle per SM.
  double PerCycleSm = 0;

  bool operator==(const ThroughputPoint &) const = default;
};

/// Whether a calibration kernel's machine code holds what it claims to time.
struct SassCheck {
  std::string Opcode;
  unsigned Expected = 0;
  unsigned Found = 0;
  std::string Verdict;

  bool operator==(const SassCheck &) const = default;
};

/// Timing of one instruction class; what was not measured is absent.
struct InstTiming {
  /// The unit that executes the class.
  Resource Pipe = Resource::Alu;
  /// Issue to the earliest issue of a dependent instruction of the same class.
  std::optional<Number> LatencyCycles;
  /// Cycles between issues of independent instructions of one warp alone.
  std::optional<Number> IssueCycles;
  /// Warp instructions per cycle per SM at the best occupancy and ILP.
  std::optional<Number> ThroughputPerCycleSm;
  /// Scheduler slots one instruction takes; absent means 1.
  std::optional<Number> IssueSlots;
  /// Cycles of its scheduler's ALU that one instruction of another pipe takes,
  /// too; absent means none.
  std::optional<Number> AluCycles;
  /// Fewest warps per SM that reach 95 % of the peak at ILP 1.
  std::optional<Number> NeededWarps;
  /// Throughput over ILP and warps.
  std::vector<ThroughputPoint> Curve;
  std::optional<SassCheck> Sass;

  bool operator==(const InstTiming &) const = default;
};

/// The single numbers of InstTiming, for code that loops over them.
enum class TimingField : uint8_t {
  LatencyCycles,
  IssueCycles,
  ThroughputPerCycleSm,
  IssueSlots,
  AluCycles,
  NeededWarps,
};

/// Number of values of TimingField.
constexpr unsigned NumTimingFields = 6;

/// The key of \p Field in databases, such as "latency_cycles".
llvm::StringRef timingFieldKey(TimingField Field);

/// The unit of \p Field, such as "cycle".
llvm::StringRef timingFieldUnit(TimingField Field);

/// What \p Field is, for a reader.
llvm::StringRef timingFieldDescription(TimingField Field);

/// The member of \p Timing that \p Field names.
const std::optional<Number> &timingField(const InstTiming &Timing,
                                         TimingField Field);
std::optional<Number> &timingField(InstTiming &Timing, TimingField Field);

/// How the consumer of a result uses it.
enum class OperandUse : uint8_t {
  Value,     ///< as a data operand
  Address,   ///< as the address of a memory access: "ld.global.address"
  Predicate, ///< as a guard or selector: "select.predicate"
};

/// A result of Producer used by Consumer.
struct Dependence {
  InstClass Producer = {};
  InstClass Consumer = {};
  OperandUse Use = OperandUse::Value;

  auto operator<=>(const Dependence &) const = default;
};

/// The text of \p D in databases, such as "fp32.fma -> ld.global.address".
std::string dependenceKey(const Dependence &D);

/// The consumer that \p Key names, such as "ld.global.address", of a producer
/// that is not known; or nothing.
std::optional<Dependence> parseConsumer(llvm::StringRef Key);

/// The dependence that \p Key names, or nothing.
std::optional<Dependence> parseDependence(llvm::StringRef Key);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_INSTTIMING_H
