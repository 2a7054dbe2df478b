//===- RooflineJSON.cpp - Rates and rooflines to JSON and back ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/JSON.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

template <> struct JSONWords<FlopKind> {
  static constexpr unsigned Count = NumFlopKinds;
  static StringRef text(FlopKind K) { return flopKindText(K); }
};

template <> struct JSONWords<RooflineLevel> {
  static constexpr unsigned Count = NumRooflineLevels;
  static StringRef text(RooflineLevel L) { return rooflineLevelText(L); }
};

template <> struct JSONWords<RooflineCount> {
  static constexpr unsigned Count = NumRooflineCounts;
  static StringRef text(RooflineCount C) { return rooflineCountText(C); }
};

template <> struct JSONFields<Rate> {
  template <typename V> static void visit(V &&Field) {
    Field("value", &Rate::Value);
    Field("peak", &Rate::Peak);
    Field("busy", &Rate::Busy);
  }
};

template <> struct JSONFields<FlopRate> {
  template <typename V> static void visit(V &&Field) {
    Field("precision", &FlopRate::Kind);
    Field("giga_per_s", &FlopRate::GigaPerSecond);
  }
};

template <> struct JSONFields<LoadsInFlight> {
  template <typename V> static void visit(V &&Field) {
    using F = LoadsInFlight;
    Field("level", &F::Level);
    Field("loads_per_sm", &F::LoadsPerSm);
    Field("bytes_per_sm", &F::BytesPerSm);
    Field("needed_loads_per_sm", &F::NeededLoadsPerSm);
    Field("needed_bytes_per_sm", &F::NeededBytesPerSm);
  }
};

template <> struct JSONFields<Rates> {
  template <typename V> static void visit(V &&Field) {
    Field("of_whole_launch", &Rates::OfWholeLaunch);
    Field("dram_gb_per_s", &Rates::DramGBs);
    Field("l2_gb_per_s", &Rates::L2GBs);
    Field("l1_gb_per_s", &Rates::L1GBs);
    Field("shared_gb_per_s", &Rates::SharedGBs);
    Field("instructions_per_cycle_sm", &Rates::Ipc);
    Field("giga_warp_instructions_per_s", &Rates::Gips);
    Field("flops", &Rates::Flops);
    Field("in_flight", &Rates::InFlight);
  }
};

template <> struct JSONFields<RooflinePoint> {
  template <typename V> static void visit(V &&Field) {
    Field("level", &RooflinePoint::Level);
    Field("instructions", &RooflinePoint::Count);
    Field("intensity", &RooflinePoint::Intensity);
    Field("gips", &RooflinePoint::Gips);
    Field("gtxn_per_s", &RooflinePoint::Gtxn);
  }
};

template <> struct JSONFields<RooflineWall> {
  template <typename V> static void visit(V &&Field) {
    Field("name", &RooflineWall::Name);
    Field("intensity", &RooflineWall::Intensity);
  }
};

template <> struct JSONFields<InstructionCeiling> {
  template <typename V> static void visit(V &&Field) {
    using C = InstructionCeiling;
    Field("unit", &C::Unit);
    Field("class", &C::Class);
    Field("gips", &C::Gips);
    Field("gflops", &C::GigaFlops);
  }
};

template <> struct JSONFields<Roofline> {
  template <typename V> static void visit(V &&Field) {
    Field("warp_gips", &Roofline::WarpGips);
    Field("thread_gips", &Roofline::ThreadGips);
    Field("points", &Roofline::Points);
    Field("ceilings", &Roofline::Ceilings);
    Field("global_walls", &Roofline::GlobalWalls);
    Field("shared_walls", &Roofline::SharedWalls);
    Field("nearest_global_wall", &Roofline::NearestGlobalWall);
    Field("nearest_shared_wall", &Roofline::NearestSharedWall);
    Field("conflict_degree", &Roofline::ConflictDegree);
  }
};

} // namespace gpuocc

json::Value gpuocc::toJSON(const Rates &R) { return encodeFields(R); }
json::Value gpuocc::toJSON(const Roofline &R) { return encodeFields(R); }

bool gpuocc::fromJSON(const json::Value &J, Rates &Out, json::Path P) {
  return decodeFields(J, Out, P);
}

bool gpuocc::fromJSON(const json::Value &J, Roofline &Out, json::Path P) {
  return decodeFields(J, Out, P);
}
