//===- ReportSummary.cpp - What a comparison needs of a report ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/ReportSummary.h"
#include "SplitReport.h"
#include "gpuocc/Kernel/LaunchOrigin.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Support/FileFormat.h"
#include "gpuocc/Support/JSONMembers.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace gpuocc;
using namespace llvm;

void ReportSummary::append(ReportSummary Other) {
  std::move(Other.Kernels.begin(), Other.Kernels.end(),
            std::back_inserter(Kernels));
}

namespace gpuocc {
// Found by argument-dependent lookup from json::ObjectMapper.
static bool fromJSON(const json::Value &J, FindingSummary &Out, json::Path P);
static bool fromJSON(const json::Value &J, KernelSummary &Out, json::Path P);
} // namespace gpuocc

/// Reads a member that may be null as its default.
template <typename T>
static bool mapNullable(json::ObjectMapper &O, StringLiteral Key, T &Out) {
  std::optional<T> Value;
  if (!O.map(Key, Value))
    return false;
  Out = Value.value_or(T());
  return true;
}

static bool gpuocc::fromJSON(const json::Value &J, FindingSummary &Out,
                             json::Path P) {
  json::ObjectMapper O(J, P);
  return O && O.map("name", Out.Rule) && mapNullable(O, "file", Out.File) &&
         mapNullable(O, "line", Out.Line) &&
         mapNullable(O, "column", Out.Column) &&
         O.map("message", Out.Message) && O.map("gain", Out.Gain) &&
         O.mapOptional("kind", Out.Kind);
}

static std::string dimText(const json::Value *J) {
  const json::Array *Sides = J ? J->getAsArray() : nullptr;
  if (!Sides)
    return "?";
  SmallVector<std::string, 3> Texts;
  for (const json::Value &Side : *Sides)
    Texts.push_back(std::to_string(Side.getAsInteger().value_or(0)));
  while (Texts.size() > 1 && Texts.back() == "1")
    Texts.pop_back();
  return join(Texts, "x");
}

/// Threads of the block \p J; 0 where it is none.
static uint64_t threadsOf(const json::Value *J) {
  const json::Array *Sides = J ? J->getAsArray() : nullptr;
  uint64_t Threads = Sides ? 1 : 0;
  for (const json::Value &Side : Sides ? *Sides : json::Array())
    Threads *= uint64_t(std::max<int64_t>(0, Side.getAsInteger().value_or(0)));
  return Threads;
}

static std::string launchText(const json::Object &Launch) {
  return dimText(Launch.get("grid")) + " x " + dimText(Launch.get("block")) +
         " + " +
         std::to_string(Launch.getInteger("dynamic_shared_bytes").value_or(0)) +
         " B";
}

/// The inverse of the throughput at the last point of the curve that the SM can
/// hold.
static std::optional<double> cyclesPerWarp(const json::Object &Kernel) {
  const json::Array *Curve = Kernel.getArray("throughput_curve");
  const json::Object *Occupancy = Kernel.getObject("occupancy");
  const json::Object *Instructions = Kernel.getObject("instructions");
  // Of a kernel whose instructions were not read, the curve is that of none.
  if (!Curve || !Occupancy ||
      (Instructions && Instructions->getNumber("per_warp") == 0.0))
    return std::nullopt;
  double Available = Occupancy->getNumber("warps_per_sm").value_or(0);
  std::optional<double> Cycles;
  for (const json::Value &J : *Curve) {
    const json::Object *Point = J.getAsObject();
    if (!Point || Point->getNumber("warps").value_or(Available + 1) > Available)
      continue;
    if (double Rate = Point->getNumber("warps_per_cycle").value_or(0); Rate > 0)
      Cycles = 1 / Rate;
  }
  return Cycles;
}

/// True when an element of the array \p Key has \p Word as its \p Member.
static bool anyIs(const json::Object &Kernel, StringRef Key, StringRef Member,
                  StringRef Word) {
  const json::Array *Array = Kernel.getArray(Key);
  return Array && any_of(*Array, [&](const json::Value &J) {
           const json::Object *O = J.getAsObject();
           return O && O->getString(Member) == Word;
         });
}

/// The number \p Key of the object \p Kernel, or of \p Within of it.
static std::optional<uint64_t> count(const json::Object &Kernel,
                                     StringRef Within, StringRef Key) {
  const json::Object *O = Within.empty() ? &Kernel : Kernel.getObject(Within);
  std::optional<int64_t> Value;
  if (O)
    Value = O->getInteger(Key);
  return Value && *Value >= 0 ? std::optional(uint64_t(*Value)) : std::nullopt;
}

static ResourceCounts resourcesOf(const json::Object &Kernel) {
  ResourceCounts R;
  R.Registers = count(Kernel, "registers", "count");
  R.StackBytes = count(Kernel, "local_bytes", "stack");
  const auto Stores = count(Kernel, "local_bytes", "spill_stores"),
             Loads = count(Kernel, "local_bytes", "spill_loads");
  if (Stores && Loads)
    R.SpillBytes = *Stores + *Loads;
  R.SharedBytes = count(Kernel, "", "shared_bytes");
  R.BlocksPerSm = count(Kernel, "occupancy", "blocks_per_sm");
  R.WarpsPerSm = count(Kernel, "occupancy", "warps_per_sm");
  if (const json::Object *Registers = Kernel.getObject("registers"))
    R.AreEstimates = Registers->getBoolean("is_estimate").value_or(false);
  return R;
}

/// What a launch has whether it can run or not.
static bool readRefused(const json::Value &J, KernelSummary &Out,
                        json::Path P) {
  json::ObjectMapper O(J, P);
  if (!O || !O.map("name", Out.Name) || !O.map("demangled", Out.Demangled) ||
      !mapNullable(O, "file", Out.File) || !mapNullable(O, "line", Out.Line) ||
      !O.map("device", Out.Device) || !O.map("findings", Out.Findings))
    return false;
  const json::Object &Kernel = *J.getAsObject();
  const json::Object *Launch = Kernel.getObject("launch");
  if (!Launch) {
    P.field("launch").report("expected object");
    return false;
  }
  Out.LaunchText = launchText(*Launch);
  Out.BlockThreads = threadsOf(Launch->get("block"));
  Out.DynamicSharedBytes = uint64_t(std::max<int64_t>(
      0, Launch->getInteger("dynamic_shared_bytes").value_or(0)));
  if (const json::Object *Sources = Launch->getObject("sources"))
    Out.BlockIsGiven =
        LaunchOrigin(Sources->getString("block").value_or("").str()).by() !=
        GivenBy::Nobody;
  Out.Architecture = Kernel.getString("arch").value_or("").str();
  Out.BuiltBy = Kernel.getString("built_by").value_or("").str();
  Out.Resources = resourcesOf(Kernel);
  return true;
}

static bool gpuocc::fromJSON(const json::Value &J, KernelSummary &Out,
                             json::Path P) {
  json::ObjectMapper O(J, P);
  if (!readRefused(J, Out, P) || !O.map("limiter", Out.Limiter) ||
      !O.map("predicted_time_ns", Out.TimeNs))
    return false;
  const json::Object &Kernel = *J.getAsObject();
  Out.CyclesPerWarp = cyclesPerWarp(Kernel);
  if (const json::Object *Needed = Kernel.getObject("needed_warps"))
    Out.NeededWarps = Needed->getNumber("p90");
  const json::Array *Assumptions = Kernel.getArray("assumptions");
  Out.RestsOnAssumptions = Assumptions && !Assumptions->empty();
  Out.DataDecides = anyIs(Kernel, "accesses", "exactness",
                          exactnessText(Exactness::DataDependent)) ||
                    anyIs(Kernel, "branches", "class",
                          branchClassText(BranchClass::DataDependent));
  return true;
}

/// The members of a kernel that are read: a small part of most reports.
static constexpr StringLiteral ReadMembers[] = {
    "accesses",     "arch",         "assumptions",
    "branches",     "built_by",     "demangled",
    "device",       "file",         "findings",
    "instructions", "launch",       "limiter",
    "line",         "local_bytes",  "name",
    "needed_warps", "occupancy",    "predicted_time_ns",
    "registers",    "shared_bytes", "throughput_curve"};

static std::string shortened(StringRef Kernel) {
  return keepMembers(
      Kernel, [](StringRef Key) { return is_contained(ReadMembers, Key); });
}

/// Reads \p Elements, of the array \p Key, to \p Out.
template <typename ReadFunction>
static Error readEach(ArrayRef<StringRef> Elements, StringLiteral Key,
                      StringRef FileName, ReadFunction Read,
                      std::vector<KernelSummary> &Out) {
  json::Path::Root Where("report");
  // Each path refers to the one above it.
  const json::Path Top(Where);
  const json::Path Above = Top.field(Key);
  for (size_t I = 0; I != Elements.size(); ++I) {
    Expected<json::Value> Kernel = parseJSON(shortened(Elements[I]));
    if (!Kernel)
      return createStringError("'" + FileName + "' is not JSON: in element " +
                               Twine(I) + " of '" + Key +
                               "': " + toString(Kernel.takeError()));
    if (!Read(*Kernel, Out.emplace_back(), Above.index(I)))
      return createStringError("'" + FileName +
                               "': " + toString(Where.getError()));
  }
  return Error::success();
}

Expected<ReportSummary> gpuocc::parseReportSummary(StringRef Text,
                                                   StringRef FileName) {
  const std::optional<SplitReport> Parts = splitReport(Text);
  Expected<json::Value> Document = parseJSON(Parts ? Parts->Rest : Text);
  if (!Document)
    return createStringError(
        "'" + FileName + "' is not JSON: " + toString(Document.takeError()));
  const json::Object *Root = Document->getAsObject();
  std::optional<int64_t> Version;
  if (Root)
    Version = Root->getInteger("schema_version");
  if (!Version || !Root->getArray("kernels"))
    return createStringError(
        "'" + FileName +
        "' is no report: expected what 'analyze --format=json' writes");
  if (Error E = checkVersion(FileFormat::Report, *Version))
    return createFileError(FileName, std::move(E));
  ReportSummary Summary;
  json::Path::Root Where("report");
  json::ObjectMapper O(*Document, Where);
  // What was not split has elements that are no kernels.
  if (!O || !O.map("tool", Summary.Tool) || !O.map("kernels", Summary.Kernels))
    return createStringError("'" + FileName +
                             "': " + toString(Where.getError()));
  if (!Parts)
    return createStringError("'" + FileName +
                             "' is no report: its arrays of kernels are not");
  auto ReadKernel = [](const json::Value &J, KernelSummary &K, json::Path P) {
    return fromJSON(J, K, P);
  };
  auto ReadRefused = [](const json::Value &J, KernelSummary &K, json::Path P) {
    K.CannotRun = true;
    return readRefused(J, K, P);
  };
  if (Error E = readEach(Parts->Kernels, "kernels", FileName, ReadKernel,
                         Summary.Kernels))
    return std::move(E);
  if (Error E = readEach(Parts->Refused, "cannot_run", FileName, ReadRefused,
                         Summary.Kernels))
    return std::move(E);
  return Summary;
}

ShortKernels gpuocc::shortKernels(StringRef Text) {
  ShortKernels Out;
  const std::optional<SplitReport> Parts = splitReport(Text);
  if (!Parts)
    return Out;
  transform(Parts->Kernels, std::back_inserter(Out.Kernels), shortened);
  transform(Parts->Refused, std::back_inserter(Out.Refused), shortened);
  return Out;
}
