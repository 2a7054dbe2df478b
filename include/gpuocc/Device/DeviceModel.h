//===- DeviceModel.h - What one GPU can do ---------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value type of a device database, and its JSON form. Made by
/// parseDeviceModel or by calibration; docs/device-database.md describes the
/// file.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_DEVICEMODEL_H
#define GPUOCC_DEVICE_DEVICEMODEL_H

#include "gpuocc/Device/InstTiming.h"
#include "gpuocc/Device/Number.h"
#include "gpuocc/Device/Quantity.h"
#include "gpuocc/Support/FileFormat.h"
#include "gpuocc/Support/Known.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// The version of the database form that this code writes.
constexpr unsigned DeviceSchemaVersion =
    currentVersion(FileFormat::DeviceDatabase);

/// Mean latency of a loaded memory level over its throughput x:
///
///   latency(x) = A + B x / (C - x),  0 <= x < C
///
/// A and B in cycles, x and C in bytes per cycle per SM.
/// Source: Volkov 2016, "Understanding Latency Hiding on GPUs", section 6.4.
struct ContentionFit {
  Number A, B, C;
  /// The throughput at which the level was fully busy with the reads that the
  /// fit is of; accesses that keep it as busy in another way wait as long.
  /// Absent: the read throughput of the level.
  std::optional<Number> Peak;
  /// Root mean square distance of the measurements from the curve, in cycles.
  std::optional<Number> Residual;

  bool operator==(const ContentionFit &) const = default;
};

/// Timing of one PTX instruction as compilers expand it.
struct PtxTiming {
  /// Latency when optimized and when not, cycles.
  std::optional<Number> O3, O0;
  /// Warps per cycle per SM that execute the optimized code once.
  std::optional<Number> Throughput;

  bool operator==(const PtxTiming &) const = default;
};

/// A sweep: what a single number cannot say.
struct DeviceTable {
  std::vector<std::string> Columns, Units;
  /// Cells are numbers, strings or null; each row has one for each column.
  std::vector<std::vector<llvm::json::Value>> Rows;
  std::string Source, Date;

  bool operator==(const DeviceTable &) const = default;
};

/// The name of the table of latencies from each class to each other: a row for
/// each producer, whose class is the first cell, and a column for each
/// consumer, with ".address" or ".predicate" as in `dependences`. Cells are
/// cycles, or null where nothing was measured.
inline constexpr llvm::StringLiteral CrossClassLatencyTable =
    "cross_class_latency";

/// What is known about one GPU. Every number has a unit and an origin; what is
/// not known is absent, and asking for it gives the reason.
struct DeviceModel {
  /// "nvidia-h200"; the name of the file without ".json".
  std::string Name;
  /// "NVIDIA H200".
  std::string DisplayName;
  /// "sm_90"; its limits are archLimits(Architecture).
  std::string Architecture;
  /// Other names people give it: "RTX 4090".
  std::vector<std::string> Aliases;
  /// The device that the numbers which its own file does not state are derived
  /// from (DeriveDevice.h); empty when there is none.
  std::string Relative;
  /// How the database was made: tool, date, driver, command, clocks.
  std::map<std::string, std::string> Record;

  std::map<Quantity, Number> Quantities;
  std::map<InstClass, InstTiming> Instructions;
  /// Latencies that differ from the producer's own.
  std::map<Dependence, Number> Dependences;
  /// By level and direction: "dram_read", "l2_read".
  std::map<std::string, ContentionFit> Contention;
  /// By PTX instruction: "div.rn.f32".
  std::map<std::string, PtxTiming> PtxInstructions;
  std::map<std::string, DeviceTable> Tables;

  /// The number with its provenance, or null when the database lacks it.
  const Number *find(Quantity Q) const;
  const Number *find(InstClass Class, TimingField Field) const;
  const InstTiming *timing(InstClass Class) const;
  const ContentionFit *contention(llvm::StringRef Level) const;
  const DeviceTable *table(llvm::StringRef TableName) const;

  /// The value in the unit of Quantity.def; when the database lacks it, the
  /// reason names device and key.
  Known<double> get(Quantity Q) const;

  /// The value in the unit of \p Field (timingFieldUnit).
  Known<double> get(InstClass Class, TimingField Field) const;

  /// Calls \p Do with each pair of classes whose latency is known and its
  /// cycles: the cells of CrossClassLatencyTable, and the entries of
  /// Dependences for other pairs. The diagonal of the table is left out:
  /// latency_cycles says it better, as its values are not all zero.
  void
  forEachPair(llvm::function_ref<void(const Dependence &, double)> Do) const;

  /// Cycles from the issue of \p Producer to the earliest issue of a
  /// \p Consumer that uses its result as \p Use: the entry of Dependences, or
  /// the producer's latency_cycles where there is none.
  Known<double> latency(InstClass Producer, InstClass Consumer,
                        OperandUse Use = OperandUse::Value) const;

  /// The unit that executes \p Class here, or on Volta and later when the
  /// database does not say.
  Resource pipe(InstClass Class) const;

  bool operator==(const DeviceModel &) const = default;
};

/// Reads a device database from \p Text.
///
/// A file of an older version is migrated (MigrateDevice.h). Fails on the first
/// thing that is not of the format; the error names \p FileName, the place in
/// it, what is wrong, and the nearest valid key.
llvm::Expected<DeviceModel> parseDeviceModel(llvm::StringRef Text,
                                             llvm::StringRef FileName);

/// \p Device in the form that parseDeviceModel reads; keys in a fixed order.
llvm::json::Value toJSON(const DeviceModel &Device);

/// \p N in the form of a number of a device database.
llvm::json::Value toJSON(const Number &N);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DEVICEMODEL_H
