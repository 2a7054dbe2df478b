//===- RatesJSON.cpp - Rates and rooflines in the public report -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RatesJSON.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static json::Value number(double Value) {
  return std::isfinite(Value) ? json::Value(Value) : nullptr;
}

static json::Value number(const Known<double> &Value) {
  return Value ? number(*Value) : nullptr;
}

static json::Value rate(const Rate &R) {
  return json::Object{{"value", number(R.Value)},
                      {"peak", number(R.Peak)},
                      {"fraction", number(R.fraction())},
                      {"share", number(R.share())}};
}

static json::Value name(StringRef Text) {
  return Text.empty() ? json::Value(nullptr) : json::Value(Text);
}

json::Value gpuocc::ratesJSON(const Rates &R) {
  json::Array Flops, InFlight;
  for (const FlopRate &F : R.Flops)
    Flops.push_back(json::Object{{"precision", flopKindText(F.Kind)},
                                 {"giga_per_s", rate(F.GigaPerSecond)}});
  for (const LoadsInFlight &F : R.InFlight)
    InFlight.push_back(
        json::Object{{"level", resourceKey(F.Level)},
                     {"loads_per_sm", number(F.LoadsPerSm)},
                     {"bytes_per_sm", number(F.BytesPerSm)},
                     {"needed_loads_per_sm", number(F.NeededLoadsPerSm)},
                     {"needed_bytes_per_sm", number(F.NeededBytesPerSm)}});
  return json::Object{{"of", R.OfWholeLaunch ? "launch" : "full SMs"},
                      {"dram_gb_per_s", rate(R.DramGBs)},
                      {"l2_gb_per_s", rate(R.L2GBs)},
                      {"l1_gb_per_s", rate(R.L1GBs)},
                      {"shared_gb_per_s", rate(R.SharedGBs)},
                      {"instructions_per_cycle_sm", rate(R.Ipc)},
                      {"giga_warp_instructions_per_s", rate(R.Gips)},
                      {"flops", std::move(Flops)},
                      {"in_flight", std::move(InFlight)}};
}

static json::Value walls(ArrayRef<RooflineWall> Walls) {
  json::Array Out;
  for (const RooflineWall &W : Walls)
    Out.push_back(
        json::Object{{"name", W.Name}, {"intensity", number(W.Intensity)}});
  return Out;
}

json::Value gpuocc::rooflineJSON(const Roofline &R) {
  json::Array Points, Ceilings;
  for (const RooflinePoint &P : R.Points)
    Points.push_back(json::Object{{"level", rooflineLevelText(P.Level)},
                                  {"instructions", rooflineCountText(P.Count)},
                                  {"intensity", number(P.Intensity)},
                                  {"gips", number(P.Gips)},
                                  {"gtxn_per_s", rate(P.Gtxn)}});
  for (const InstructionCeiling &C : R.Ceilings)
    Ceilings.push_back(json::Object{
        {"unit", resourceKey(C.Unit)},
        {"class", C.Class ? json::Value(instClassKey(*C.Class)) : nullptr},
        {"gips", number(C.Gips)},
        {"gflops", C.GigaFlops > 0 ? number(C.GigaFlops) : nullptr}});
  return json::Object{{"warp_gips", number(R.WarpGips)},
                      {"thread_gips", number(R.ThreadGips)},
                      {"active_lane_fraction", number(R.activeFraction())},
                      {"points", std::move(Points)},
                      {"ceilings", std::move(Ceilings)},
                      {"global_walls", walls(R.GlobalWalls)},
                      {"shared_walls", walls(R.SharedWalls)},
                      {"nearest_global_wall", name(R.NearestGlobalWall)},
                      {"nearest_shared_wall", name(R.NearestSharedWall)},
                      {"conflict_degree", R.SharedWalls.empty()
                                              ? json::Value(nullptr)
                                              : number(R.ConflictDegree)}};
}
