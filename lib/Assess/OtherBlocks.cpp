//===- OtherBlocks.cpp - The same work in other blocks ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherBlocks.h"
#include "Geometry.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::adaptsToBlocks(const Case &C) {
  bool ReadsSize = any_of(C.Facts.Operations, [](const Operation &Op) {
    return Op.SReg == SpecialReg::NTidX;
  });
  bool WorksTogether =
      C.Block.sharedBytes() != 0 || C.Facts.Bounds.Cluster[0] != 0 ||
      any_of(C.Facts.Operations, [](const Operation &Op) {
        return any_of(Op.Emits, [](const Emission &E) {
          return E.Class == InstClass::Barrier || E.Class == InstClass::Shfl ||
                 E.Class == InstClass::Vote;
        });
      });
  const Dim3 &Block = C.Launched.Block.Value;
  return ReadsSize && !WorksTogether && Block.Y == 1 && Block.Z == 1 &&
         C.Facts.Bounds.RequiredBlock[0] == 0;
}

std::optional<OtherBlocks> gpuocc::inBlocksOf(const Case &C, uint64_t Threads) {
  uint64_t Own = C.Launched.Block.Value.X;
  unsigned Most = C.Facts.Bounds.MaxThreads;
  if (Threads == Own || (Most != 0 && Threads > Most))
    return std::nullopt;
  OtherBlocks Other;
  Other.Launched = C.Launched;
  Other.Launched.Block.Value.X = Threads;
  if (C.Launched.Grid) {
    Sourced<Dim3> Grid = *C.Launched.Grid;
    Grid.Value.X = (Grid.Value.X * Own + Threads - 1) / Threads;
    Other.Launched.Grid = std::move(Grid);
  }
  BlockResources Block = blockResources(C.Facts, Other.Launched);
  if (!launchProblems(C.Limits, Block).empty())
    return std::nullopt;
  ExecutionProfile Profile =
      profileLanes(C.Facts, Other.Launched,
                   geometryOf(C.Device, occupancy(C.Limits, Block).BlocksPerSm),
                   C.Options.Lanes);
  Other.Predicted = C.Model.predict(C.Facts, Profile, Other.Launched,
                                    PredictDetail::Comparison);
  Other.Gain = comparePredictions(C, Other.Predicted);
  return Other;
}
