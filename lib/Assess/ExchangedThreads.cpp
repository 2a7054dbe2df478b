//===- ExchangedThreads.cpp - A kernel with x and y exchanged -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangedThreads.h"
#include "gpuocc/WhatIf/ExchangeThreads.h"

using namespace gpuocc;

std::optional<ExchangedThreads> gpuocc::exchangedThreads(const Case &C) {
  std::optional<KernelVariant> V = changedAndWalked(C, exchangeThreads());
  if (!V)
    return std::nullopt;
  Price Gain = priceVariant(C, *V);
  return ExchangedThreads{std::move(*V), std::move(Gain)};
}
