//===- ParallelismJSON.cpp - Parallelism to JSON and back -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/JSON.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

template <> struct JSONFields<ChainLink> {
  template <typename V> static void visit(V &&Field) {
    Field("producer", &ChainLink::Producer);
    Field("consumer", &ChainLink::Consumer);
    Field("cycles", &ChainLink::Cycles);
  }
};

template <> struct JSONFields<LoopParallelism> {
  template <typename V> static void visit(V &&Field) {
    using L = LoopParallelism;
    Field("loop", &L::Loop);
    Field("cycles_per_iteration", &L::CyclesPerIteration);
    Field("ilp", &L::Ilp);
    Field("chains", &L::Chains);
    Field("chain_cycles", &L::ChainCycles);
    Field("chain_loads", &L::ChainLoads);
    Field("loads_before_wait", &L::LoadsBeforeWait);
  }
};

template <> struct JSONFields<Parallelism> {
  template <typename V> static void visit(V &&Field) {
    Field("ilp", &Parallelism::Ilp);
    Field("loads_before_wait", &Parallelism::LoadsBeforeWait);
    Field("loops", &Parallelism::Loops);
    Field("chain", &Parallelism::Chain);
  }
};

template <> struct JSONFields<PipelinePoint> {
  template <typename V> static void visit(V &&Field) {
    Field("ilp", &PipelinePoint::Ilp);
    Field("issue_latency", &PipelinePoint::IssueLatency);
    Field("completion_latency", &PipelinePoint::CompletionLatency);
    Field("ridge_warps", &PipelinePoint::RidgeWarps);
  }
};

template <> struct JSONFields<ClassPipeline> {
  template <typename V> static void visit(V &&Field) {
    Field("class", &ClassPipeline::Class);
    Field("per_warp", &ClassPipeline::PerWarp);
    Field("points", &ClassPipeline::Points);
    Field("fraction_of_peak", &ClassPipeline::FractionOfPeak);
  }
};

template <> struct JSONFields<OccupancyRoofline> {
  template <typename V> static void visit(V &&Field) {
    Field("warps", &OccupancyRoofline::Warps);
    Field("ilp", &OccupancyRoofline::Ilp);
    Field("classes", &OccupancyRoofline::Classes);
  }
};

} // namespace gpuocc

json::Value gpuocc::toJSON(const Parallelism &P) { return encodeFields(P); }
json::Value gpuocc::toJSON(const OccupancyRoofline &R) {
  return encodeFields(R);
}

bool gpuocc::fromJSON(const json::Value &J, Parallelism &Out, json::Path P) {
  return decodeFields(J, Out, P);
}

bool gpuocc::fromJSON(const json::Value &J, OccupancyRoofline &Out,
                      json::Path P) {
  return decodeFields(J, Out, P);
}
