//===- Roofline.cpp - The instruction roofline ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Roofline.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace gpuocc;
using namespace llvm;

constexpr double Lanes = 32;

StringRef gpuocc::rooflineLevelText(RooflineLevel L) {
  static constexpr StringLiteral Texts[] = {"l1", "l2", "dram", "shared"};
  static_assert(std::size(Texts) == NumRooflineLevels);
  return Texts[unsigned(L)];
}

StringRef gpuocc::rooflineCountText(RooflineCount C) {
  static constexpr StringLiteral Texts[] = {"all", "global accesses",
                                            "shared accesses"};
  static_assert(std::size(Texts) == NumRooflineCounts);
  return Texts[unsigned(C)];
}

const RooflinePoint *Roofline::point(RooflineLevel Level,
                                     RooflineCount Count) const {
  for (const RooflinePoint &P : Points)
    if (P.Level == Level && P.Count == Count)
      return &P;
  return nullptr;
}

double gpuocc::unitStrideIntensity(double BytesPerLane, double SectorBytes) {
  return SectorBytes / (Lanes * BytesPerLane);
}

std::vector<RooflineWall> gpuocc::globalWalls(double BytesPerLane,
                                              double SectorBytes) {
  return {{"stride-0", 1},
          {"stride-1", unitStrideIntensity(BytesPerLane, SectorBytes)},
          {"stride-8", 1 / Lanes}};
}

std::vector<RooflineWall> gpuocc::sharedWalls() {
  return {{"no bank conflict", 1}, {"32-way bank conflict", 1 / Lanes}};
}

std::string gpuocc::nearestWall(ArrayRef<RooflineWall> Walls,
                                double Intensity) {
  auto Distance = [&](const RooflineWall &W) {
    return std::abs(std::log(Intensity / W.Intensity));
  };
  auto Nearest =
      min_element(Walls, [&](const RooflineWall &A, const RooflineWall &B) {
        return Distance(A) < Distance(B);
      });
  return Nearest == Walls.end() ? std::string() : Nearest->Name;
}

static Quantity bytesPerCycle(RooflineLevel Level) {
  switch (Level) {
  case RooflineLevel::L1:
    return Quantity::L1BytesPerCycle;
  case RooflineLevel::L2:
    return Quantity::L2ReadBytesPerCycle;
  case RooflineLevel::Dram:
    return Quantity::DramReadBytesPerCycle;
  case RooflineLevel::Shared:
    return Quantity::SharedBytesPerCycle;
  }
  return Quantity::DramReadBytesPerCycle;
}

static double transactionBytes(RooflineLevel Level, const DeviceModel &Device) {
  return Level == RooflineLevel::Shared ? sharedTransactionBytes(Device)
                                        : sectorBytes(Device);
}

Known<double> gpuocc::peakGtxn(RooflineLevel Level, const DeviceModel &Device) {
  const Known<double> Bytes = Device.get(bytesPerCycle(Level));
  const Known<double> Chip = chipGigaCycles(Device);
  if (!Bytes || !Chip)
    return Bytes ? Chip : Bytes;
  return *Bytes * *Chip / transactionBytes(Level, Device);
}

Known<double> gpuocc::peakGips(const DeviceModel &Device) {
  const Known<double> Issue = issuePeak(Device), Chip = chipGigaCycles(Device);
  if (!Issue || !Chip)
    return Issue ? Chip : Issue;
  return *Issue * *Chip;
}

/// Whether \p A makes a better ceiling of its pipe than \p B: of products the
/// largest, else the fastest, and of those that are as fast the one that
/// computes most.
static bool isHigher(const InstructionCeiling &A, const InstructionCeiling &B) {
  constexpr double AsFast = 0.98;
  const double OfA = warpFlops(*A.Class).PerInstruction;
  const double OfB = warpFlops(*B.Class).PerInstruction;
  const bool AreAlike =
      A.Unit == Resource::Tensor ||
      std::min(A.Gips, B.Gips) >= AsFast * std::max(A.Gips, B.Gips);
  return AreAlike && OfA != OfB ? OfA > OfB : A.Gips > B.Gips;
}

namespace {

/// Which classes make ceilings for a kernel.
class CeilingClasses {
public:
  CeilingClasses(const DeviceModel &Device, const Prediction *P)
      : Device(Device), P(P) {
    for (unsigned I = 0; I != NumInstClasses; ++I)
      UsedPipes[size_t(Device.pipe(InstClass(I)))] |= isUsed(InstClass(I));
  }

  /// On the tensor pipe a kernel's own product counts, and one of half
  /// precision where it has none.
  bool counts(InstClass C) const {
    const Resource Pipe = Device.pipe(C);
    const bool Used = UsedPipes[size_t(Pipe)];
    if (Pipe != Resource::Tensor)
      return Used && Pipe != Resource::Issue;
    if (warpFlops(C).PerInstruction <= 0)
      return false;
    return P && Used ? isUsed(C) : warpFlops(C).Kind == FlopKind::TensorFp16;
  }

private:
  bool isUsed(InstClass C) const {
    return !P ||
           any_of(P->Mix, [&](const ClassCount &Of) { return Of.Class == C; });
  }

  const DeviceModel &Device;
  const Prediction *P;
  PerResource<bool> UsedPipes = {};
};

} // namespace

std::vector<InstructionCeiling>
gpuocc::instructionCeilings(const DeviceModel &Device, const Prediction *P) {
  std::vector<InstructionCeiling> Out;
  const Known<double> Chip = chipGigaCycles(Device);
  if (!Chip)
    return Out;
  const CeilingClasses Classes(Device, P);
  PerResource<std::optional<InstructionCeiling>> Best;
  for (unsigned I = 0; I != NumInstClasses; ++I) {
    const InstClass C = InstClass(I);
    const Known<double> Throughput =
        Device.get(C, TimingField::ThroughputPerCycleSm);
    if (!Throughput || !Classes.counts(C))
      continue;
    InstructionCeiling Here = {Device.pipe(C), C, *Throughput * *Chip, 0};
    Here.GigaFlops = Here.Gips * warpFlops(C).PerInstruction;
    std::optional<InstructionCeiling> &Now = Best[size_t(Here.Unit)];
    if (!Now || isHigher(Here, *Now))
      Now = Here;
  }
  if (const Known<double> Issue = peakGips(Device))
    Out.push_back(
        {Resource::Issue, Known<InstClass>::unknown("any class"), *Issue, 0});
  for (const std::optional<InstructionCeiling> &C : Best)
    if (C)
      Out.push_back(*C);
  return Out;
}

namespace {

/// Transactions of a warp at one level, and the instructions that count there.
struct LevelWork {
  RooflineLevel Level;
  RooflineCount Count;
  double Instructions, Transactions;
  /// Transactions per cycle and SM of this mix, times their bytes.
  Known<double> BytesPerCycle;
};

} // namespace

/// Shared transactions are of all banks, so that each counts as four of L1
/// (section III.B: 1 x global transactions + 4 x shared transactions).
static std::vector<LevelWork> levelWork(const WarpWork &W,
                                        const DeviceModel &Device) {
  using L = RooflineLevel;
  using C = RooflineCount;
  const double Sector = sectorBytes(Device);
  const double OfShared = sharedTransactionBytes(Device) / Sector;
  const double AtL1 = W.GlobalTransactions + W.LocalTransactions +
                      OfShared * W.SharedTransactions;
  const Known<double> L1 = Device.get(Quantity::L1BytesPerCycle);
  const Known<double> Shared = Device.get(Quantity::SharedBytesPerCycle);
  return {{L::L1, C::All, W.ThreadInstructions, AtL1, L1},
          {L::L2, C::All, W.ThreadInstructions, W.l2Bytes() / Sector,
           l2Peak(W.L2ReadBytes, W.L2WriteBytes, Device)},
          {L::Dram, C::All, W.ThreadInstructions, W.dramBytes() / Sector,
           dramPeak(W.DramReadBytes, W.DramWriteBytes, Device)},
          {L::L1, C::GlobalAccesses, W.GlobalInstructions, W.GlobalTransactions,
           L1},
          {L::Shared, C::SharedAccesses, W.SharedInstructions,
           W.SharedTransactions, Shared}};
}

Roofline gpuocc::roofline(const WarpWork &Work, double GigaWarps,
                          const Prediction &P, const DeviceModel &Device) {
  Roofline Out;
  Out.WarpGips = GigaWarps * Work.WarpInstructions;
  Out.ThreadGips = GigaWarps * Work.ThreadInstructions;
  const Known<double> Chip = chipGigaCycles(Device);
  for (const LevelWork &Of : levelWork(Work, Device)) {
    if (Of.Transactions <= 0)
      continue;
    RooflinePoint Point = {Of.Level,
                           Of.Count,
                           Of.Instructions / Of.Transactions,
                           GigaWarps * Of.Instructions,
                           {GigaWarps * Of.Transactions, Of.BytesPerCycle}};
    if (!Chip)
      Point.Gtxn.Peak = Chip;
    else if (Of.BytesPerCycle)
      Point.Gtxn.Peak =
          *Of.BytesPerCycle * *Chip / transactionBytes(Of.Level, Device);
    Out.Points.push_back(std::move(Point));
  }
  Out.Ceilings = instructionCeilings(Device, &P);
  if (const RooflinePoint *Global =
          Out.point(RooflineLevel::L1, RooflineCount::GlobalAccesses)) {
    Out.GlobalWalls = globalWalls(Work.GlobalBytesPerLane, sectorBytes(Device));
    Out.NearestGlobalWall = nearestWall(Out.GlobalWalls, Global->Intensity);
  }
  if (const RooflinePoint *Shared =
          Out.point(RooflineLevel::Shared, RooflineCount::SharedAccesses)) {
    Out.SharedWalls = sharedWalls();
    Out.NearestSharedWall = nearestWall(Out.SharedWalls, Shared->Intensity);
    if (Work.IdealSharedTransactions > 0)
      Out.ConflictDegree =
          Work.SharedTransactions / Work.IdealSharedTransactions;
  }
  return Out;
}
