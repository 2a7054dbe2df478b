//===- ParallelismJSON.cpp - Parallelism in the public report -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelismJSON.h"
#include "ChainLines.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static json::Value number(double Value) {
  return std::isfinite(Value) ? json::Value(Value) : nullptr;
}

static json::Object place(const SourcePlace &P) {
  if (!P.isValid())
    return json::Object{
        {"file", nullptr}, {"line", nullptr}, {"column", nullptr}};
  return json::Object{
      {"file", json::fixUTF8(P.File)}, {"line", P.Line}, {"column", P.Column}};
}

json::Value gpuocc::parallelismJSON(const KernelReport &K) {
  json::Array Loops;
  for (const LoopParallelism &L : K.InParallel.Loops) {
    json::Object O = place(placeOfLoop(K, L.Loop));
    O["cycles_per_iteration"] = number(L.CyclesPerIteration);
    O["ilp"] = number(L.Ilp);
    O["chains"] = L.Chains;
    O["chain_cycles"] = number(L.ChainCycles);
    O["chain_loads"] = L.ChainLoads;
    O["loads_before_wait"] = L.LoadsBeforeWait;
    Loops.push_back(std::move(O));
  }
  return json::Object{{"ilp", number(K.InParallel.Ilp)},
                      {"loads_before_wait", K.InParallel.LoadsBeforeWait},
                      {"loops", std::move(Loops)}};
}

static json::Value operation(const ChainPlace &P) {
  json::Object O = place(P.Place);
  O["operation"] = json::fixUTF8(P.Operation);
  return O;
}

json::Value gpuocc::dependencyChainJSON(const KernelReport &K) {
  json::Array Out;
  for (const ChainLine &L : chainLines(K))
    Out.push_back(json::Object{{"producer", operation(L.Producer)},
                               {"consumer", operation(L.Consumer)},
                               {"cycles", number(L.Cycles)}});
  return Out;
}

json::Value gpuocc::occupancyRooflineJSON(const OccupancyRoofline &R) {
  json::Array Classes;
  for (const ClassPipeline &C : R.Classes) {
    json::Array Points;
    for (const PipelinePoint &P : C.Points)
      Points.push_back(json::Object{
          {"ilp", P.Ilp},
          {"issue_latency_cycles", number(P.IssueLatency)},
          {"completion_latency_cycles", number(P.CompletionLatency)},
          {"ridge_warps", number(P.RidgeWarps)}});
    Classes.push_back(
        json::Object{{"class", instClassKey(C.Class)},
                     {"per_warp", number(C.PerWarp)},
                     {"fraction_of_peak", number(C.FractionOfPeak)},
                     {"points", std::move(Points)}});
  }
  return json::Object{{"warps", number(R.Warps)},
                      {"ilp", number(R.Ilp)},
                      {"classes", std::move(Classes)}};
}
