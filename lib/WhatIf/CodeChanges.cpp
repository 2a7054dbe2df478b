//===- CodeChanges.cpp - Changes of instructions and resources ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/CodeChanges.h"
#include <utility>

using namespace gpuocc;

Change gpuocc::replaceInstructions(std::vector<ReplacedOperation> Replaced) {
  return makeChange(ChangeKind::ReplaceInstructions,
                    [Replaced = std::move(Replaced)](KernelVariant &V) {
                      for (const ReplacedOperation &R : Replaced)
                        V.Facts.Operations[R.Op].Emits = R.Emits;
                    });
}

Change gpuocc::useResources(LessResources Then) {
  return makeChange(ChangeKind::UseResources, [Then](KernelVariant &V) {
    if (Then.RegistersPerThread)
      V.Facts.Resources.RegistersPerThread = *Then.RegistersPerThread;
    if (Then.SharedBytes) {
      V.Facts.StaticSharedBytes = *Then.SharedBytes;
      V.Launched.DynamicSharedBytes.Value = 0;
    }
    if (Then.Barriers)
      V.Facts.Resources.Barriers = *Then.Barriers;
  });
}
