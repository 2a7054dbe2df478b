//===- ClassesOfPtx.cpp - Latencies of classes from PTX -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClassesOfPtx.h"
#include "gpuocc/Device/DeviceModel.h"

#include "gpuocc/Support/InstClasses.h"
using namespace gpuocc;
using namespace llvm;

namespace {
struct ClassRow {
  InstClass Class;
  StringLiteral Operation;
};
} // namespace

static constexpr ClassRow ClassRows[] = {
#define PTX_CLASS(Class, Operation) {InstClass::Class, Operation},
#include "PtxClasses.def"
};

void gpuocc::addLatenciesOfPtx(DeviceModel &Device) {
  for (const ClassRow &Row : ClassRows) {
    auto Ptx = Device.PtxInstructions.find(Row.Operation.str());
    if (Ptx == Device.PtxInstructions.end() || !Ptx->second.O3)
      continue;
    const Resource Pipe = Device.pipe(Row.Class);
    InstTiming &Timing = Device.Instructions[Row.Class];
    if (Timing.LatencyCycles)
      continue;
    Timing.Pipe = Pipe;
    Number &Latency = Timing.LatencyCycles.emplace(*Ptx->second.O3);
    Latency.Origin = NumberOrigin::Derived;
    Latency.Source = Row.Operation.str() + ": " + Latency.Source;
  }
}
