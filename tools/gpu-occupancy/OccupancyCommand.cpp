//===- OccupancyCommand.cpp - gpu-occupancy occupancy ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "OccupancyBatch.h"
#include "driver/Arguments.h"
#include "gpuocc/Views/OccupancyView.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral OccupancyUsage =
    "usage: gpu-occupancy occupancy --arch ARCH --block N --registers N "
    "[options]\n"
    "       gpu-occupancy occupancy --batch < blocks.csv\n"
    "\n"
    "How many blocks of a kernel an SM holds, what limits it, and the "
    "smallest\n"
    "change that gains a block; equal to the CUDA occupancy calculator.\n"
    "\n"
    "With --batch, each line of standard input is\n"
    "  arch,registers,block,static_shared,dynamic_shared,cluster\n"
    "and is answered by a line\n"
    "  blocks_per_sm,warps_per_sm,limiter\n";

namespace {
struct OccupancyOptions {
  std::string Arch, Format = "text", OptIn = "yes";
  /// Absent until the option is seen.
  std::optional<unsigned> Threads, Registers, Carveout;
  unsigned StaticShared = 0, DynamicShared = 0, Barriers = 1, Cluster = 1;
  bool Tables = false, Batch = false;

  std::vector<OptionRow> rows();
};
} // namespace

static Error parseCount(StringRef Text, std::optional<unsigned> &Slot) {
  unsigned Number = 0;
  if (Error E = storeNumber(Number)(Text))
    return E;
  Slot = Number;
  return Error::success();
}

/// "256", "32x8" or "8x8x4".
static Error parseBlock(StringRef Text, std::optional<unsigned> &Slot) {
  SmallVector<StringRef, 3> Sides;
  Text.split(Sides, 'x');
  uint64_t Threads = 1;
  for (StringRef Side : Sides) {
    unsigned Length = 0;
    if (Sides.size() > 3 || Side.getAsInteger(10, Length) || Length == 0 ||
        Length > 65536)
      return createStringError("'" + Text +
                               "' is no block: expected as 256, 32x8 or 8x8x4");
    Threads *= Length;
  }
  if (Threads > std::numeric_limits<unsigned>::max())
    return createStringError("'" + Text + "' is too large");
  Slot = unsigned(Threads);
  return Error::success();
}

static Error parsePercent(StringRef Text, std::optional<unsigned> &Slot) {
  if (Error E = parseCount(Text, Slot))
    return E;
  return *Slot <= 100 ? Error::success()
                      : createStringError(
                            "'" + Text + "' is not a percentage from 0 to 100");
}

static std::function<Error(StringRef)> raise(bool &Slot) {
  return [&Slot](StringRef) {
    Slot = true;
    return Error::success();
  };
}

std::vector<OptionRow> OccupancyOptions::rows() {
  return {
      {"--arch", "ARCH", "architecture, such as sm_90", store(Arch)},
      {"--block", "N", "threads per block, or its sides as in 32x8",
       [this](StringRef V) { return parseBlock(V, Threads); }},
      {"--registers", "N", "registers per thread",
       [this](StringRef V) { return parseCount(V, Registers); }},
      {"--shared", "BYTES", "static shared memory per block",
       storeNumber(StaticShared)},
      {"--dynamic-shared", "BYTES", "dynamic shared memory per block",
       storeNumber(DynamicShared)},
      {"--barriers", "N", "block barriers in use (1)", storeNumber(Barriers)},
      {"--cluster", "N", "blocks per cluster (1)", storeNumber(Cluster)},
      {"--carveout", "PERCENT",
       "preferred shared part of L1, as the host sets it",
       [this](StringRef V) { return parsePercent(V, Carveout); }},
      {"--shared-opt-in", "yes|no",
       "whether the host allows more than the default shared memory (yes)",
       storeWord(OptIn, {"yes", "no"})},
      {"--table", "",
       "also occupancy over block size, registers and shared memory",
       raise(Tables)},
      {"--format", "text|json", "form of the output (text)",
       storeWord(Format, {"text", "json"})},
      {"--batch", "", "answer lines of standard input", raise(Batch)},
  };
}

static Expected<BlockResources> blockOf(const OccupancyOptions &Options) {
  if (!Options.Threads)
    return createStringError("option '--block' is missing: threads per block");
  if (!Options.Registers)
    return createStringError(
        "option '--registers' is missing: registers per thread, as ptxas -v "
        "prints them");
  BlockResources Block;
  Block.Threads = *Options.Threads;
  Block.RegistersPerThread = *Options.Registers;
  Block.StaticSharedBytes = Options.StaticShared;
  Block.DynamicSharedBytes = Options.DynamicShared;
  Block.Barriers = Options.Barriers;
  Block.ClusterBlocks = Options.Cluster;
  Block.CarveoutPercent = Options.Carveout;
  Block.OptIn = Options.OptIn == "yes" ? SharedOptIn::Yes : SharedOptIn::No;
  return Block;
}

static Error answer(const OccupancyOptions &Options) {
  if (Options.Arch.empty())
    return createStringError("option '--arch' is missing, such as sm_90");
  Expected<const ArchLimits &> Limits = archLimits(Options.Arch);
  if (!Limits)
    return Limits.takeError();
  Expected<BlockResources> Block = blockOf(Options);
  if (!Block)
    return Block.takeError();
  std::vector<std::string> Problems = launchProblems(*Limits, *Block);
  if (!Problems.empty())
    return createStringError(join(Problems, "; "));

  auto Detail =
      Options.Tables ? OccupancyDetail::Tables : OccupancyDetail::Summary;
  if (Options.Format == "json")
    outs() << formatv("{0:2}\n", occupancyToJSON(*Limits, *Block, Detail));
  else
    writeOccupancyText(*Limits, *Block, Detail, outs());
  return Error::success();
}

Expected<ExitStatus> gpuocc::runOccupancy(ArrayRef<StringRef> Arguments) {
  OccupancyOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, OccupancyUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (!Parsed->Positional.empty())
    return createStringError("unexpected argument '" +
                             Parsed->Positional.front() +
                             "'; see 'gpu-occupancy occupancy --help'");
  if (Error E = Options.Batch ? runOccupancyBatch(outs()) : answer(Options))
    return std::move(E);
  return StatusGood;
}
