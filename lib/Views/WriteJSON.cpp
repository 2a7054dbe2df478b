//===- WriteJSON.cpp - The public JSON report -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteJSON.h"
#include "ParallelismJSON.h"
#include "PlanView.h"
#include "RatesJSON.h"
#include "SweepView.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/JSON.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace gpuocc;
using namespace llvm;

/// JSON has no infinity; what is not finite is null.
static json::Value number(double Value) {
  if (!std::isfinite(Value))
    return nullptr;
  return Value;
}

static json::Value text(StringRef Text) { return json::fixUTF8(Text); }

static json::Value dim(const Dim3 &D) { return json::Array{D.X, D.Y, D.Z}; }

/// Puts file, line and, where the schema has one, column into \p Out.
static void addPlace(json::Object &Out, const SourcePlace &Place) {
  Out["file"] = Place.isValid() ? text(Place.File) : json::Value(nullptr);
  Out["line"] = Place.isValid() ? json::Value(Place.Line) : nullptr;
}

static void addColumn(json::Object &Out, const SourcePlace &Place) {
  addPlace(Out, Place);
  Out["column"] = Place.isValid() ? json::Value(Place.Column) : nullptr;
}

static SourcePlace placeOfOp(const KernelFacts &Facts, uint32_t Op) {
  if (Op >= Facts.Operations.size())
    return SourcePlace();
  uint32_t Location = Facts.Operations[Op].Location;
  if (Location >= Facts.Locations.size())
    return SourcePlace();
  return placeToShow(Facts.Locations[Location]);
}

static json::Value launch(const Launch &L) {
  json::Object Sources{
      {"block", text(L.Block.Source.text())},
      {"dynamic_shared_bytes", text(L.DynamicSharedBytes.Source.text())}};
  Sources["grid"] =
      L.Grid ? text(L.Grid->Source.text()) : text(L.Grid.reason());
  json::Object Arguments;
  for (const auto &[Index, Argument] : L.Arguments) {
    const ScalarArgument &A = Argument.Value;
    Arguments[std::to_string(Index)] =
        A.IsReal ? number(A.Real) : json::Value(A.Integer);
    Sources["argument " + std::to_string(Index)] = text(Argument.Source.text());
  }
  return json::Object{
      {"grid", L.Grid ? dim(L.Grid->Value) : json::Value(nullptr)},
      {"block", dim(L.Block.Value)},
      {"dynamic_shared_bytes", L.DynamicSharedBytes.Value},
      {"arguments", std::move(Arguments)},
      {"sources", std::move(Sources)}};
}

static json::Value accesses(const KernelReport &K) {
  json::Array Out;
  for (size_t I = 0; I != K.Profile.Accesses.size(); ++I) {
    const MemoryAccess &Access = K.Facts.Accesses[I];
    const AccessProfile &A = K.Profile.Accesses[I];
    bool Evaluated = A.Exact != Exactness::Unknown;
    // Kernel parameters lie in the constant bank.
    MemorySpace Space = Access.Space == MemorySpace::Param
                            ? MemorySpace::Constant
                            : Access.Space;
    json::Object O;
    addColumn(O, placeOfOp(K.Facts, Access.Op));
    O["space"] = memorySpaceText(Space);
    O["kind"] = accessKindText(Access.Kind);
    O["bytes_per_lane"] = Access.BytesPerLane;
    O["executions_per_warp"] = number(A.ExecutionsPerWarp);
    O["sectors_per_request"] =
        Evaluated ? number(A.SectorsPerRequest) : json::Value(nullptr);
    O["wavefronts_per_request"] =
        Evaluated ? number(A.WavefrontsPerRequest) : json::Value(nullptr);
    bool Cached =
        Evaluated &&
        (Space == MemorySpace::Global || Space == MemorySpace::Local ||
         Space == MemorySpace::Generic || Space == MemorySpace::Texture);
    auto OfCache = [&](double Fraction) {
      return Cached ? number(std::min(1.0, Fraction)) : json::Value(nullptr);
    };
    O["l1_hit_fraction"] = OfCache(A.L1HitFraction);
    O["l1_wait_fraction"] = OfCache(A.L1WaitFraction);
    O["l2_hit_fraction"] = OfCache(A.L2HitFraction);
    O["lane_stride_bytes"] =
        A.LaneStrideBytes ? json::Value(*A.LaneStrideBytes) : nullptr;
    O["exactness"] = exactnessText(A.Exact);
    Out.push_back(std::move(O));
  }
  return Out;
}

static json::Value branches(const KernelReport &K) {
  json::Array Out;
  for (size_t I = 0; I != K.Profile.Branches.size(); ++I) {
    const BranchProfile &B = K.Profile.Branches[I];
    json::Object O;
    addColumn(O, placeOfOp(K.Facts, K.Facts.Branches[I].Op));
    O["class"] = branchClassText(B.Class);
    O["divergent_fraction"] = number(B.DivergentFraction);
    O["executions_per_warp"] = number(B.ExecutionsPerWarp);
    Out.push_back(std::move(O));
  }
  return Out;
}

static json::Value edit(const SourceEdit &E) {
  json::Array Changes;
  for (const TextChange &C : E.Changes)
    Changes.push_back(json::Object{{"line", C.Line},
                                   {"column", C.Column},
                                   {"end_line", C.EndLine},
                                   {"end_column", C.EndColumn},
                                   {"text", text(C.Text)}});
  return json::Object{
      {"file", text(E.File)},   {"title", text(E.Title)},
      {"gain", number(E.Gain)}, {"price", text(E.Price)},
      {"diff", text(E.Diff)},   {"changes", std::move(Changes)}};
}

static json::Value findings(const KernelReport &K) {
  json::Array Out;
  for (const Finding &F : K.Findings) {
    json::Object O;
    O["name"] = ruleName(F.Rule);
    addColumn(O, placeToShow(F.Location));
    O["message"] = text(F.text());
    O["kind"] = remarkKindKey(F.Remark);
    O["gain"] = F.Gain ? number(*F.Gain) : json::Value(nullptr);
    if (F.Edit)
      O["edit"] = edit(*F.Edit);
    Out.push_back(std::move(O));
  }
  return Out;
}

static json::Value assumptions(const KernelReport &K) {
  json::Array Out;
  for (const Assumption &A : K.Profile.Assumptions) {
    std::string Line = A.What + " = " + A.Taken;
    if (!A.HowToSupply.empty())
      Line += "; " + A.HowToSupply;
    Out.push_back(text(Line));
  }
  return Out;
}

static json::Value bounds(const Prediction &P) {
  json::Array Out;
  for (const Bound &B : P.Bounds)
    Out.push_back(json::Object{{"resource", resourceKey(B.What)},
                               {"cycles_per_warp", number(B.CyclesPerWarp)}});
  return Out;
}

static json::Value curve(const Prediction &P) {
  json::Array Out;
  for (const CurvePoint &Point : P.Curve)
    Out.push_back(
        json::Object{{"warps", number(Point.Warps)},
                     {"warps_per_cycle", number(Point.WarpsPerCycle)}});
  return Out;
}

static json::Value instructions(const Prediction &P) {
  std::map<StringRef, double> Counts;
  for (const ClassCount &C : P.Mix)
    Counts[instClassKey(C.Class)] += C.PerWarp;
  json::Object ByClass;
  for (const auto &[Key, Count] : Counts)
    ByClass[Key] = number(Count);
  return json::Object{{"per_warp", number(P.InstructionsPerWarp)},
                      {"by_class", std::move(ByClass)}};
}

static json::Value diagnosis(const Prediction &P) {
  const Diagnosis &D = P.Diagnosed;
  return json::Object{
      {"mode", modeText(D.mode())},          {"unit", resourceKey(D.Unit)},
      {"cause", diagnosisCauseKey(D.Cause)}, {"share", number(D.Share)},
      {"launch_known", D.LaunchKnown},       {"why", text(whyText(P))}};
}

static json::Value interval(const Prediction &P) {
  if (!P.Interval)
    return nullptr;
  json::Array DependsOn;
  for (const std::string &Why : P.Interval->DependsOn)
    DependsOn.push_back(text(Why));
  return json::Object{{"time_ns", json::Array{number(P.Interval->LowNs),
                                              number(P.Interval->HighNs)}},
                      {"coverage", number(P.Interval->Coverage)},
                      {"depends_on", std::move(DependsOn)}};
}

static json::Value
unknownProbabilities(ArrayRef<BranchProbabilityProfile> Probabilities) {
  json::Array A;
  for (const BranchProbabilityProfile &Of : Probabilities)
    A.push_back(
        json::Object{{"branch", text(Of.Place)},
                     {"line", Of.Line},
                     {"share", number(Of.Share)},
                     {"instructions_per_warp", number(Of.InstructionsPerWarp)},
                     {"otherwise_ns", Of.OtherwiseNs ? number(*Of.OtherwiseNs)
                                                     : json::Value(nullptr)},
                     {"decides", Of.Decides}});
  return A;
}

/// What a launch has whether it can run or not.
static json::Object refusedKernel(const KernelReport &K) {
  const ResourceUse &Use = K.Facts.Resources;
  json::Object O;
  O["name"] = text(K.Facts.Name);
  O["demangled"] = text(K.Facts.Demangled);
  addPlace(O, K.Facts.Place);
  O["device"] = text(K.Device);
  O["device_basis"] = text(K.DeviceBasis);
  if (!K.Facts.Architecture.empty())
    O["arch"] = text(K.Facts.Architecture);
  if (!K.Facts.BuiltBy.empty())
    O["built_by"] = text(K.Facts.BuiltBy);
  O["launch"] = launch(K.Launched);
  json::Object Registers{{"count", Use.RegistersPerThread},
                         {"source", text(Use.Source)}};
  if (Use.IsEstimate)
    Registers["is_estimate"] = true;
  O["registers"] = std::move(Registers);
  O["local_bytes"] = json::Object{{"stack", Use.StackBytes},
                                  {"spill_stores", Use.SpillStoreBytes},
                                  {"spill_loads", Use.SpillLoadBytes}};
  O["shared_bytes"] =
      K.Facts.StaticSharedBytes + K.Launched.DynamicSharedBytes.Value;
  O["findings"] = findings(K);
  O["suppressed_findings"] = int64_t(K.Suppressed);
  return O;
}

static json::Object occupancy(const Prediction &P) {
  return json::Object{{"warps_per_sm", P.WarpsPerSm},
                      {"blocks_per_sm", P.BlocksPerSm},
                      {"fraction", number(P.OccupancyFraction)},
                      {"limiter", text(occupancyLimiterKey(P.Limiter))}};
}

static json::Object neededWarps(const Prediction &P) {
  return json::Object{{"p90", number(P.Needed.P90)},
                      {"p95", number(P.Needed.P95)},
                      {"linear", number(P.Needed.Linear)}};
}

/// Each word once, as the only member \p Key of an object.
template <typename RangeT, typename WordFunction>
static json::Value eachOnce(const RangeT &Range, StringRef Key,
                            WordFunction WordOf) {
  std::set<StringRef> Words;
  for (const auto &Element : Range)
    Words.insert(WordOf(Element));
  json::Array Out;
  for (StringRef Word : Words)
    Out.push_back(json::Object{{Key, Word}});
  return Out;
}

/// What of kernel() a comparison reads. Most of a report is the rest.
static json::Object kernelToCompare(const KernelReport &K) {
  const Prediction &P = K.Predicted;
  json::Object O = refusedKernel(K);
  O["occupancy"] = occupancy(P);
  O["needed_warps"] = neededWarps(P);
  O["assumptions"] = assumptions(K);
  O["limiter"] = resourceKey(P.Diagnosed.Unit);
  O["throughput_curve"] = curve(P);
  O["predicted_time_ns"] = P.Time ? number(P.Time->Ns) : json::Value(nullptr);
  O["instructions"] = json::Object{{"per_warp", number(P.InstructionsPerWarp)}};
  O["accesses"] =
      eachOnce(K.Profile.Accesses, "exactness",
               [](const AccessProfile &A) { return exactnessText(A.Exact); });
  O["branches"] =
      eachOnce(K.Profile.Branches, "class",
               [](const BranchProfile &B) { return branchClassText(B.Class); });
  return O;
}

static json::Object kernel(const KernelReport &K) {
  const Prediction &P = K.Predicted;
  json::Object O = refusedKernel(K);
  O["occupancy"] = occupancy(P);
  O["needed_warps"] = neededWarps(P);
  O["diagnosis"] = diagnosis(P);
  O["mode"] = modeText(P.Diagnosed.mode());
  O["limiter"] = resourceKey(P.Diagnosed.Unit);
  O["bounds"] = bounds(P);
  O["latency_cycles"] = number(P.Latency.CyclesPerWarp);
  O["throughput_curve"] = curve(P);
  O["predicted_time_ns"] = P.Time ? number(P.Time->Ns) : json::Value(nullptr);
  O["interval"] = interval(P);
  O["instructions"] = instructions(P);
  O["rates"] = ratesJSON(K.Achieved);
  O["roofline"] = rooflineJSON(K.OnRoofline);
  O["parallelism"] = parallelismJSON(K);
  O["dependency_chain"] = dependencyChainJSON(K);
  O["occupancy_roofline"] = occupancyRooflineJSON(K.OverOccupancy);
  O["accesses"] = accesses(K);
  O["branches"] = branches(K);
  O["plan"] = planJSON(K.Planned, gainsBeside(K));
  if (K.OverSizes)
    O["sweep"] = sweepJSON(K);
  O["assumptions"] = assumptions(K);
  O["unknown_odds"] = unknownProbabilities(K.Profile.BranchProbabilities);
  return O;
}

/// Writes \p Short with everything known of \p K among its attributes.
static void writeWithData(json::OStream &J, json::Object Short,
                          const KernelReport &K) {
  static constexpr StringLiteral Data = "data";
  Short[Data] = nullptr;
  J.object([&] {
    for (const json::Object::value_type *Element : sortedElements(Short)) {
      const StringRef Key = Element->first;
      J.attributeBegin(Key);
      if (Key == Data)
        writeJSON(J, K);
      else
        J.value(Element->second);
      J.attributeEnd();
    }
  });
}

/// One kernel at a time: as a whole the document takes 50 times its text in
/// memory.
static void writePublic(json::OStream &J, const Report &R,
                        const JSONOptions &Options) {
  const bool HasData = Options.Contents == JSONContents::WithData;
  auto Write = [&](json::Object Short, const KernelReport &K) {
    if (HasData)
      writeWithData(J, std::move(Short), K);
    else
      J.value(std::move(Short));
  };
  J.object([&] {
    J.attributeArray("cannot_run", [&] {
      for (const KernelReport &K : R.Refused)
        Write(refusedKernel(K), K);
    });
    if (HasData)
      J.attribute("data_version", ReportDataVersion);
    if (std::string How = howToGetTimes(R); !How.empty())
      J.attribute("how_to_get_times", text(How));
    J.attributeArray("kernels", [&] {
      for (const KernelReport &K : R.Kernels)
        Write(Options.Contents == JSONContents::ToCompare ? kernelToCompare(K)
                                                          : kernel(K),
              K);
    });
    J.attribute("schema_version", R.SchemaVersion);
    J.attribute("tool", text(R.Tool));
  });
}

Error gpuocc::writeJSON(const Report &R, const JSONOptions &Options,
                        raw_ostream &OS) {
  json::OStream J(OS, Options.IndentSpaces);
  if (Options.Contents == JSONContents::OnlyData)
    gpuocc::writeJSON(J, R);
  else
    writePublic(J, R, Options);
  J.flush();
  OS << '\n';
  return Error::success();
}
