//===- PtxNames.cpp - One name for each PTX operation ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/PtxNames.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct NameRow {
  StringLiteral Other, Name;
};
} // namespace

static constexpr NameRow NameRows[] = {
#define PTX_NAME(Other, Name) {Other, Name},
#include "PtxNames.def"
};

StringRef gpuocc::ptxOperation(StringRef Name) {
  for (const NameRow &Row : NameRows)
    if (Row.Other == Name)
      return Row.Name;
  return Name;
}
