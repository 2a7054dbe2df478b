//===- Words.cpp - The words of the report for enumerations ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::semanticsText(Semantics S) {
  static constexpr StringRef Words[] = {
#define SEMANTICS(Enum, Text, Arity) Text,
#include "gpuocc/Kernel/Semantics.def"
  };
  return Words[size_t(S)];
}

StringRef gpuocc::queuedFunctionText(QueuedFunction F) {
  static constexpr StringLiteral Words[] = {"printf", "malloc", "free"};
  static_assert(std::size(Words) == NumQueuedFunctions);
  return Words[size_t(F)];
}

StringRef gpuocc::machineViewKey(MachineView V) {
  static constexpr StringLiteral Words[] = {"", "mir", "sass"};
  return Words[size_t(V)];
}

StringRef gpuocc::memorySpaceText(MemorySpace S) {
  static constexpr StringRef Words[] = {
      "global", "shared", "local", "constant", "texture", "param", "generic"};
  return Words[size_t(S)];
}

StringRef gpuocc::accessKindText(AccessKind K) {
  static constexpr StringRef Words[] = {"load", "store", "atomic", "reduction",
                                        "async-copy"};
  return Words[size_t(K)];
}

StringRef gpuocc::laneCombiningText(LaneCombining C) {
  static constexpr StringRef Words[] = {"none", "one lane", "by address",
                                        "retried"};
  return Words[size_t(C)];
}

StringRef gpuocc::tripBasisText(TripBasis B) {
  static constexpr StringRef Words[] = {"counted", "at-most", "scattered",
                                        "not-reached", "guessed"};
  return Words[size_t(B)];
}

StringRef gpuocc::exactnessText(Exactness E) {
  static constexpr StringRef Words[] = {"exact", "assumed", "range",
                                        "data-dependent", "unknown"};
  return Words[size_t(E)];
}

StringRef gpuocc::branchClassText(BranchClass C) {
  static constexpr StringRef Words[] = {"uniform",   "warp-uniform",
                                        "guard",     "partial",
                                        "divergent", "data-dependent"};
  return Words[size_t(C)];
}
