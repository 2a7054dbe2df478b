//===- Change.cpp - A change of a kernel as a value -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/Change.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {
struct ChangeRow {
  StringLiteral Key, Title;
};
} // namespace

static constexpr ChangeRow Rows[] = {
#define CHANGE(Enum, Key, Title) {Key, Title},
#include "gpuocc/WhatIf/Changes.def"
};

StringRef gpuocc::changeKey(ChangeKind Kind) { return Rows[size_t(Kind)].Key; }

StringRef gpuocc::changeTitle(ChangeKind Kind) {
  return Rows[size_t(Kind)].Title;
}

Change gpuocc::makeChange(ChangeKind Kind,
                          std::function<void(KernelVariant &)> Edit) {
  return {Kind,
          [Edit = std::move(Edit)](KernelVariant V) -> Expected<KernelVariant> {
            Edit(V);
            return V;
          }};
}
