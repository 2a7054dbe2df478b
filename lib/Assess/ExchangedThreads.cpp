//===- ExchangedThreads.cpp - A kernel with x and y exchanged -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangedThreads.h"
#include "Geometry.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/WhatIf/ExchangeThreads.h"

using namespace gpuocc;
using namespace llvm;

std::optional<ExchangedThreads> gpuocc::exchangedThreads(const Case &C) {
  if (C.IsFixed || C.Facts.isInIssueOrder())
    return std::nullopt;
  std::optional<KernelVariant> V = changed(C, exchangeThreads());
  if (!V || !canBeLaunched(C, *V))
    return std::nullopt;
  const unsigned Blocks =
      occupancy(C.Limits, blockResources(V->Facts, V->Launched)).BlocksPerSm;
  V->Profile = profileLaunch(V->Facts, V->Launched,
                             geometryOf(C.Device, Blocks), C.Options.Lanes);
  Price Gain = priceVariant(C, *V);
  return ExchangedThreads{std::move(*V), std::move(Gain)};
}
