//===- ReadSass.h - Machine code to kernel facts ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The SASS view: what the assembler made of a kernel. It knows opcodes, their
/// order, predicates, control codes, registers and the control flow. What it
/// does not know (trip counts, addresses, parameters, places in the source) is
/// joined from the view of the compiler, see gpuocc/JoinViews.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READSASS_READSASS_H
#define GPUOCC_READSASS_READSASS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

struct SassFunction;

/// Fills name, view, operations, blocks, loops, accesses and branches from
/// \p Function. Functions that it calls are part of each place that calls them.
/// Operation::Origin is the line of the line table. Opcodes without a row in
/// SassOpcode.def become InstClass::Unknown and a gap. Fails when a branch goes
/// to a label that is not there.
llvm::Expected<KernelFacts> readSass(const SassFunction &Function);

} // namespace gpuocc

#endif // GPUOCC_READSASS_READSASS_H
