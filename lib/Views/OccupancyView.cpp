//===- OccupancyView.cpp - The occupancy calculator's pages ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/OccupancyView.h"
#include "gpuocc/Model/OccupancySweep.h"
#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

using SweepFunction = std::vector<OccupancyRange>(const ArchLimits &,
                                                  const BlockResources &);

namespace {
/// One table of occupancy over a resource.
struct Sweep {
  StringLiteral Title, Key;
  SweepFunction *Ranges;
};

/// One row of the table of resources.
struct ResourceRow {
  OccupancyLimiter Limiter;
  std::string PerBlock, PerSm;
};
} // namespace

static constexpr Sweep Sweeps[] = {
    {"threads per block", "over_threads", occupancyOverThreads},
    {"registers per thread", "over_registers", occupancyOverRegisters},
    {"shared bytes per block", "over_shared_bytes", occupancyOverSharedBytes},
};

static std::string percent(double Fraction) {
  std::string Text = formatv("{0:F1}", Fraction * 100);
  StringRef Short = Text;
  Short.consume_back(".0");
  return (Short + " %").str();
}

static std::string counted(uint64_t Number, StringRef Noun) {
  return std::to_string(Number) + " " + plural(double(Number), Noun);
}

static std::string orDash(std::optional<unsigned> Number) {
  return Number ? std::to_string(*Number) : "-";
}

static std::string question(const ArchLimits &Limits,
                            const BlockResources &Block) {
  std::string Text =
      (Limits.Name + " (" + Limits.Family +
       "): " + counted(Block.Threads, "thread") + " per block, " +
       counted(Block.RegistersPerThread, "register") + " per thread, " +
       counted(Block.sharedBytes(), "byte") + " of shared memory per block");
  if (Block.DynamicSharedBytes)
    Text += " (" + std::to_string(Block.DynamicSharedBytes) + " dynamic)";
  if (Block.ClusterBlocks > 1)
    Text += ", clusters of " + std::to_string(Block.ClusterBlocks);
  return Text;
}

static SmallVector<ResourceRow> resourceRows(const ArchLimits &Limits,
                                             const BlockResources &Block,
                                             const Occupancy &O) {
  std::string Shared = std::to_string(O.AllocatedSharedBytesPerBlock);
  if (unsigned Reserved = Limits.ReservedSharedBytesPerBlock.value_or(0))
    Shared += " (" + std::to_string(Reserved) + " reserved)";
  SmallVector<ResourceRow> Rows = {
      {OccupancyLimiter::Warps, std::to_string(O.WarpsPerBlock),
       orDash(Limits.MaxWarpsPerSm)},
      {OccupancyLimiter::Blocks, "1", orDash(Limits.MaxBlocksPerSm)},
      {OccupancyLimiter::Registers,
       std::to_string(O.AllocatedRegistersPerBlock),
       orDash(Limits.RegistersPerSm)},
      {OccupancyLimiter::Shared, Shared, orDash(Limits.SharedBytesPerSm)}};
  if (Limits.BarriersPerSm)
    Rows.push_back({OccupancyLimiter::Barriers, std::to_string(Block.Barriers),
                    orDash(Limits.BarriersPerSm)});
  return Rows;
}

static void writeResources(const ArchLimits &Limits,
                           const BlockResources &Block, const Occupancy &O,
                           raw_ostream &OS) {
  constexpr const char *Form = "  {0,-10} {1,-22} {2,-12} {3,-8} {4}";
  auto Line = [&](StringRef Name, StringRef PerBlock, StringRef PerSm,
                  StringRef Allows, StringRef Mark) {
    std::string Text = formatv(Form, Name, PerBlock, PerSm, Allows, Mark);
    OS << StringRef(Text).rtrim() << '\n';
  };
  Line("resource", "a block takes", "an SM has", "blocks", "");
  for (const ResourceRow &Row : resourceRows(Limits, Block, O))
    Line(occupancyLimiterKey(Row.Limiter), Row.PerBlock, Row.PerSm,
         orDash(O.blockLimit(Row.Limiter)),
         is_contained(O.Limiters, Row.Limiter) ? "<- limit" : "");
}

static StringRef changeNoun(OccupancyLimiter Resource) {
  switch (Resource) {
  case OccupancyLimiter::Registers:
    return "registers per thread";
  case OccupancyLimiter::Shared:
    return "shared bytes per block";
  case OccupancyLimiter::Barriers:
    return "barriers per block";
  case OccupancyLimiter::Warps:
    return "threads per block";
  case OccupancyLimiter::Blocks:
  case OccupancyLimiter::Cluster:
    break;
  }
  llvm_unreachable("no step changes these");
}

static void writeSteps(const ArchLimits &Limits, const BlockResources &Block,
                       const Occupancy &O, raw_ostream &OS) {
  std::vector<OccupancyStep> Steps = nextSteps(Limits, Block);
  OS << "\nNext step:";
  if (Steps.empty()) {
    OS << (O.WarpsPerSm == Limits.MaxWarpsPerSm
               ? " none, occupancy is full\n"
               : " none, no smaller resource and no block size holds more\n");
    return;
  }
  OS << '\n';
  for (const OccupancyStep &Step : Steps) {
    OS << "  ";
    interleave(
        Step.Changes, OS,
        [&](const ResourceChange &Change) {
          OS << changeNoun(Change.Resource) << " from " << Change.From << " to "
             << Change.To;
        },
        " and ");
    OS << ": " << counted(Step.BlocksPerSm, "block") << ", "
       << counted(Step.WarpsPerSm, "warp") << ", "
       << percent(double(Step.WarpsPerSm) / *Limits.MaxWarpsPerSm) << '\n';
  }
}

static void writeSweep(const Sweep &Table, const ArchLimits &Limits,
                       const BlockResources &Block, raw_ostream &OS) {
  OS << '\n'
     << formatv("{0,-22} {1,-7} {2,-6} {3}", Table.Title, "blocks", "warps",
                "occupancy")
     << '\n';
  for (const OccupancyRange &Range : Table.Ranges(Limits, Block)) {
    std::string Values = std::to_string(Range.First);
    if (Range.Last != Range.First)
      Values += " to " + std::to_string(Range.Last);
    OS << formatv("{0,-22} {1,-7} {2,-6} {3}", Values, Range.BlocksPerSm,
                  Range.WarpsPerSm, percent(Range.Fraction))
       << '\n';
  }
}

void gpuocc::writeOccupancyText(const ArchLimits &Limits,
                                const BlockResources &Block,
                                OccupancyDetail Detail, raw_ostream &OS) {
  Occupancy O = occupancy(Limits, Block);
  OS << question(Limits, Block) << "\n\n"
     << "  " << counted(O.BlocksPerSm, "block") << " per SM, " << O.WarpsPerSm
     << " of " << counted(*Limits.MaxWarpsPerSm, "warp") << ", "
     << percent(O.Fraction) << " occupancy, limited by "
     << occupancyLimiterKey(O.limiter()) << "\n\n";
  writeResources(Limits, Block, O, OS);
  if (O.CarveoutBytes)
    OS << "\n  " << (Block.CarveoutPercent ? "preferred" : "smallest")
       << " shared part of L1 for these blocks: "
       << counted(*O.CarveoutBytes, "byte") << '\n';
  if (!O.Unchecked.empty())
    OS << "\n  not checked, no source states it for " << Limits.Name << ": "
       << join(O.Unchecked, ", ") << '\n';
  writeSteps(Limits, Block, O, OS);
  if (Detail == OccupancyDetail::Tables)
    for (const Sweep &Table : Sweeps)
      writeSweep(Table, Limits, Block, OS);
}

static json::Value orNull(std::optional<unsigned> Number) {
  return Number ? json::Value(*Number) : json::Value(nullptr);
}

static json::Value question(const BlockResources &Block) {
  return json::Object{{"threads", Block.Threads},
                      {"registers_per_thread", Block.RegistersPerThread},
                      {"static_shared_bytes", Block.StaticSharedBytes},
                      {"dynamic_shared_bytes", Block.DynamicSharedBytes},
                      {"barriers", Block.Barriers},
                      {"cluster_blocks", Block.ClusterBlocks},
                      {"carveout_percent", orNull(Block.CarveoutPercent)}};
}

static json::Value answer(const Occupancy &O) {
  json::Array Limiters;
  for (OccupancyLimiter L : O.Limiters)
    Limiters.push_back(occupancyLimiterKey(L));
  return json::Object{{"blocks_per_sm", O.BlocksPerSm},
                      {"warps_per_sm", O.WarpsPerSm},
                      {"fraction", O.Fraction},
                      {"limiter", occupancyLimiterKey(O.limiter())},
                      {"limiters", std::move(Limiters)}};
}

static json::Value steps(const ArchLimits &Limits,
                         const BlockResources &Block) {
  json::Array Steps;
  for (const OccupancyStep &Step : nextSteps(Limits, Block)) {
    json::Array Changes;
    for (const ResourceChange &Change : Step.Changes)
      Changes.push_back(json::Object{{"resource", changeNoun(Change.Resource)},
                                     {"from", Change.From},
                                     {"to", Change.To}});
    Steps.push_back(json::Object{{"changes", std::move(Changes)},
                                 {"blocks_per_sm", Step.BlocksPerSm},
                                 {"warps_per_sm", Step.WarpsPerSm}});
  }
  return Steps;
}

static json::Value ranges(ArrayRef<OccupancyRange> Ranges) {
  json::Array Rows;
  for (const OccupancyRange &Range : Ranges)
    Rows.push_back(json::Object{{"first", Range.First},
                                {"last", Range.Last},
                                {"blocks_per_sm", Range.BlocksPerSm},
                                {"warps_per_sm", Range.WarpsPerSm},
                                {"fraction", Range.Fraction}});
  return Rows;
}

json::Value gpuocc::occupancyToJSON(const ArchLimits &Limits,
                                    const BlockResources &Block,
                                    OccupancyDetail Detail) {
  Occupancy O = occupancy(Limits, Block);
  json::Object BlockLimits;
  for (unsigned I = 0; I != NumOccupancyLimiters; ++I)
    BlockLimits[occupancyLimiterKey(OccupancyLimiter(I))] =
        orNull(O.BlockLimits[I]);
  json::Object Top{
      {"arch", Limits.Name},
      {"block", question(Block)},
      {"occupancy", answer(O)},
      {"limits", std::move(BlockLimits)},
      {"allocated",
       json::Object{{"registers_per_block", O.AllocatedRegistersPerBlock},
                    {"shared_bytes_per_block", O.AllocatedSharedBytesPerBlock},
                    {"carveout_bytes", orNull(O.CarveoutBytes)}}},
      {"next_steps", steps(Limits, Block)},
      {"unchecked", json::Array(O.Unchecked)}};
  if (Detail == OccupancyDetail::Tables)
    for (const Sweep &Table : Sweeps)
      Top[Table.Key] = ranges(Table.Ranges(Limits, Block));
  return Top;
}
