//===- Numbers.h - Device numbers, borrowed where missing -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_NUMBERS_H
#define GPUOCC_LIB_MODEL_NUMBERS_NUMBERS_H

#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Device/FlatDevice.h"
#include "gpuocc/Support/Mechanism.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuocc {

class PairLatencies;

/// The whole number of cycles that \p Measured, a mean with the code around it,
/// stands for; what is between two stays.
double wholeCycles(double Measured);

/// What all predictions for one device share.
class DeviceNumbers {
public:
  /// With \p BorrowedFactor, at least 1, numbers that are borrowed are as many
  /// times slower: latencies longer, rates lower.
  explicit DeviceNumbers(const DeviceModel &Device, const Mechanisms &Used = {},
                         double BorrowedFactor = 1);
  ~DeviceNumbers();

  const Mechanisms Used;
  const double BorrowedFactor;
  /// Null where all mechanisms are used: the device itself.
  const std::unique_ptr<const DeviceModel> Switched;
  /// With the numbers of mechanisms that are not used.
  const DeviceModel &Whole;
  const FlatDevice Flat;
  /// Made when a prediction asks for them first.
  std::unique_ptr<const PairLatencies> Pairs;
  /// Of gpuocc::expectedGreatest, by count.
  std::map<double, double> Greatest;
  /// Of WarpLatency::cyclesBetweenPasses: most prices of a kernel change
  /// nothing in its steady loop.
  std::map<std::vector<double>, std::vector<double>> BetweenPasses;
};

/// Reads the numbers of a device for one prediction. Where one is missing, a
/// relative of it, or else what every GPU since Volta does, is taken and named.
class Numbers {
public:
  explicit Numbers(const DeviceModel &Device);
  /// \p Shared must outlive the numbers.
  explicit Numbers(DeviceNumbers &Shared) : Shared(Shared) {}
  Numbers(const Numbers &) = delete;
  Numbers &operator=(const Numbers &) = delete;
  ~Numbers();

  /// The value of \p Q, or its fallbackNumber(), which it must have and which
  /// is then noted as borrowed.
  double get(Quantity Q);
  /// The value of \p Q, or \p Otherwise, which is then noted as borrowed from
  /// \p Whence.
  double get(Quantity Q, double Otherwise, llvm::StringRef Whence);
  /// The value of \p Q, or nothing; \p Whence says what is taken then, which is
  /// noted as borrowed.
  std::optional<double> find(Quantity Q, llvm::StringRef Whence);
  /// Notes that \p Whence was taken for the missing number \p Key.
  void borrow(llvm::StringRef Key, llvm::StringRef Whence) {
    Borrowed.insert(borrowedNumber(Key, Whence));
    HasUnscaled = true;
  }

  /// The value of \p Q, or its defaultNumber(), which it must have.
  double getOrDefault(Quantity Q) const {
    return device().get(Q).value_or(defaultNumber(Q));
  }

  /// Register dependency latency of \p Class, cycles.
  double latency(InstClass Class);
  /// What it differs by for some of the consumers; the same for all
  /// predictions.
  const PairLatencies &pairLatencies();
  /// Latencies of a load that L2 or DRAM serves, cycles.
  double l2HitLatency() { return get(Quantity::L2HitLatency); }
  double dramLatency() { return get(Quantity::DramLatency); }
  /// SM cycles that the data of a store of \p Sectors takes on its way out of
  /// the SM: as many times those of a store of one line as it has more sectors
  /// (H200, one block an SM that stores 8 bytes a lane: 8.0 cycles each further
  /// warp up to 24 warps, test/accuracy/streams; 4.01 with 4 bytes).
  double storeCycles(double Sectors);
  /// gpuocc::expectedGreatest, remembered: accesses of a kernel ask for few
  /// different counts, each of them with every prediction.
  double expectedGreatest(double Count);
  /// DeviceNumbers::BetweenPasses.
  std::map<std::vector<double>, std::vector<double>> &betweenPasses() {
    return Shared.BetweenPasses;
  }
  /// Cycles between issues of independent instructions of \p Class by one
  /// warp.
  double issueInterval(InstClass Class);
  /// Exclusive SM cycles of the pipe per warp instruction of \p Class.
  double pipeCycles(InstClass Class);
  /// Exclusive SM cycles of the ALU per warp instruction of \p Class, which
  /// executes on another pipe.
  double aluCycles(InstClass Class);
  /// Scheduler slots of one instruction.
  double issueSlots(InstClass Class);
  Resource pipe(InstClass Class) const { return device().pipe(Class); }

  /// Independent instructions of one warp that a scheduler issues together.
  unsigned issueWidth() const {
    return unsigned(getOrDefault(Quantity::IssueWidth));
  }

  /// Cycles from an instruction of a warp to its next one, at least.
  double warpIssueGap() const { return getOrDefault(Quantity::WarpIssueGap); }

  double schedulers() { return get(Quantity::SchedulersPerSm); }
  double smCount() { return get(Quantity::SmCount); }
  double sectorBytes() { return get(Quantity::L1SectorBytes); }
  double clockGhz() { return get(Quantity::SmClockMhz) / 1000; }

  const FlatDevice &device() const { return Shared.Flat; }
  /// Predictions are made with \p M.
  bool has(Mechanism M) const { return Shared.Used.has(M); }
  const Mechanisms &mechanisms() const { return Shared.Used; }
  const std::set<std::string> &borrowed() const { return Borrowed; }
  /// Of those, some are what DeviceNumbers::BorrowedFactor does not apply to:
  /// sizes, counts and what callers took for a missing number.
  bool hasUnscaledBorrowed() const { return HasUnscaled; }

private:
  /// What was asked for before of a class: most is asked for with every
  /// instruction, and what the device lacks takes long to name.
  struct ClassNumbers {
    std::optional<double> Latency, IssueInterval, PipeCycles, IssueSlots,
        AluCycles;
  };

  double classNumber(InstClass Class, TimingField Field);
  std::optional<double> pipeDepth(Resource Pipe);
  bool isMissing(Quantity Q) const;

  std::unique_ptr<DeviceNumbers> Own;
  DeviceNumbers &Shared;
  PerInstClass<ClassNumbers> Asked;
  std::set<std::string> Borrowed;
  bool HasUnscaled = false;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_NUMBERS_H
