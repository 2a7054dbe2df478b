//===- CaseMemo.cpp - What several rules ask of one case ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseMemo.h"

using namespace gpuocc;

std::shared_ptr<CaseMemo> gpuocc::newCaseMemo() {
  return std::make_shared<CaseMemo>();
}
