//===- Roofline.h - The instruction roofline --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Source: Ding and Williams 2019, "An Instruction Roofline Model for GPUs".
/// A kernel's 10^9 instructions per second (GIPS) over its instructions per
/// memory transaction, under ceilings of issue, pipes and transactions (GTXN/s,
/// 10^9 transactions per second), beside walls that mark how lanes lie.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_ROOFLINE_H
#define GPUOCC_MODEL_ROOFLINE_H

#include "gpuocc/Model/Rates.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <string>
#include <vector>

namespace gpuocc {

/// Where transactions are counted: sectors at L1, L2 and DRAM, wavefronts at
/// shared memory.
enum class RooflineLevel : uint8_t { L1, L2, Dram, Shared };
constexpr unsigned NumRooflineLevels = unsigned(RooflineLevel::Shared) + 1;

/// "l1", "l2", "dram", "shared".
llvm::StringRef rooflineLevelText(RooflineLevel L);

/// Which instructions a point counts: all of them, or the accesses alone whose
/// distance from the walls shows how lanes lie (section III.B, open dots).
enum class RooflineCount : uint8_t { All, GlobalAccesses, SharedAccesses };
constexpr unsigned NumRooflineCounts =
    unsigned(RooflineCount::SharedAccesses) + 1;

/// "all", "global accesses", "shared accesses".
llvm::StringRef rooflineCountText(RooflineCount C);

/// A kernel at one level of memory.
struct RooflinePoint {
  RooflineLevel Level = RooflineLevel::L1;
  RooflineCount Count = RooflineCount::All;
  /// Instructions per transaction. Of all instructions, those of active lanes
  /// over 32; of accesses, warp instructions.
  double Intensity = 0;
  /// 10^9 of these instructions per second.
  double Gips = 0;
  /// 10^9 transactions per second.
  Rate Gtxn;
  bool operator==(const RooflinePoint &) const = default;
};

/// The most instructions per second that a unit executes.
struct InstructionCeiling {
  /// Issue, or a pipe.
  Resource Unit = Resource::Issue;
  /// Of a pipe: the class that it executes fastest; of the tensor pipe: the one
  /// with the largest product.
  Known<InstClass> Class = Known<InstClass>::unknown("any class");
  double Gips = 0;
  /// Arithmetic operations at this ceiling, 10^9 per second; 0 where the class
  /// has none.
  double GigaFlops = 0;
  bool operator==(const InstructionCeiling &) const = default;
};

/// A line of constant intensity.
struct RooflineWall {
  std::string Name;
  double Intensity = 0;
  bool operator==(const RooflineWall &) const = default;
};

/// A kernel on the instruction roofline of a device.
struct Roofline {
  /// 10^9 warp instructions per second, and instructions of active lanes over
  /// 32: their ratio is the degree of predication (section III.B).
  double WarpGips = 0, ThreadGips = 0;
  /// Levels that the kernel has transactions at.
  std::vector<RooflinePoint> Points;
  /// Issue first; pipes that the kernel uses, and the tensor pipe.
  std::vector<InstructionCeiling> Ceilings;
  /// Empty where the kernel has no such accesses.
  std::vector<RooflineWall> GlobalWalls, SharedWalls;
  /// The walls that the accesses are nearest to.
  std::string NearestGlobalWall, NearestSharedWall;
  /// Wavefronts of shared memory over those without conflicts.
  double ConflictDegree = 1;

  /// ThreadGips over WarpGips.
  double activeFraction() const {
    return WarpGips > 0 ? std::min(1.0, ThreadGips / WarpGips) : 1;
  }
  /// The point of \p Level that counts \p Count, or null.
  const RooflinePoint *point(RooflineLevel Level, RooflineCount Count) const;
  bool operator==(const Roofline &) const = default;
};

/// Intensity of accesses whose lanes move \p BytesPerLane each, side by side,
/// in sectors of \p SectorBytes: 1/4 for 4 bytes, 1/8 for 8 bytes.
double unitStrideIntensity(double BytesPerLane, double SectorBytes);

/// The walls of section III.A.
std::vector<RooflineWall> globalWalls(double BytesPerLane, double SectorBytes);
std::vector<RooflineWall> sharedWalls();

/// The name of the wall whose intensity has the ratio to \p Intensity that is
/// nearest to 1; empty without walls.
std::string nearestWall(llvm::ArrayRef<RooflineWall> Walls, double Intensity);

/// 10^9 transactions per second of \p Level.
Known<double> peakGtxn(RooflineLevel Level, const DeviceModel &Device);

/// 10^9 warp instructions per second that the schedulers of the chip issue.
Known<double> peakGips(const DeviceModel &Device);

/// The ceilings of \p Device for a kernel with the instructions of \p P; for
/// all pipes when that is null.
std::vector<InstructionCeiling> instructionCeilings(const DeviceModel &Device,
                                                    const Prediction *P);

/// The roofline of a kernel whose mean warp does \p Work, of which \p
/// GigaWarps 10^9 end per second.
Roofline roofline(const WarpWork &Work, double GigaWarps, const Prediction &P,
                  const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_MODEL_ROOFLINE_H
