//===- Change.h - A change of a kernel as a value ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_CHANGE_H
#define GPUOCC_WHATIF_CHANGE_H

#include "gpuocc/WhatIf/KernelVariant.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace gpuocc {

/// The kinds of changes, see Changes.def.
enum class ChangeKind : uint8_t {
#define CHANGE(Enum, Key, Title) Enum,
#include "gpuocc/WhatIf/Changes.def"
};

/// The stable name of \p Kind, such as "drop-tile".
llvm::StringRef changeKey(ChangeKind Kind);

/// What a programmer does, such as "read global memory instead of a tile".
llvm::StringRef changeTitle(ChangeKind Kind);

/// A change that a programmer can make of a kernel: a function from code,
/// profile and launch to those of the changed kernel. Operations, accesses,
/// branches and loops that it names are those of the kernel that it was made
/// for.
struct Change {
  ChangeKind Kind;
  /// The changed kernel. Fails with one line that says why where the kernel
  /// cannot be changed so.
  std::function<llvm::Expected<KernelVariant>(KernelVariant)> Apply;
};

/// A change of \p Kind that never fails: \p Edit changes the kernel in place.
Change makeChange(ChangeKind Kind, std::function<void(KernelVariant &)> Edit);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_CHANGE_H
