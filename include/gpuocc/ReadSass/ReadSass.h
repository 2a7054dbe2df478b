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
/// joined from the view of the compiler, see gpuocc/JoinViews. Where there is
/// no other view, the instructions themselves say what they compute.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READSASS_READSASS_H
#define GPUOCC_READSASS_READSASS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/Support/Error.h"
#include <map>

namespace gpuocc {

struct SassFunction;

/// Where the driver puts what a launch says in constant bank 0.
struct ConstantLayout {
  /// Of blockDim.x, .y, .z and gridDim.x, .y, .z.
  std::array<int64_t, 6> Extents = {0x0, 0x4, 0x8, 0xc, 0x10, 0x14};
  /// Of the end of a thread's stack.
  int64_t Stack = 0x28;
};

/// The layout for \p Architecture ("sm_90").
ConstantLayout constantLayout(llvm::StringRef Architecture);

/// What the sections of a cubin say of a kernel beside its instructions.
struct SassKernel {
  std::string Architecture;
  std::vector<Parameter> Parameters;
  /// Where the parameters begin in constant bank 0.
  int64_t ParameterOffset = 0x210;
  ConstantLayout Layout;
  std::vector<Symbol> Symbols;
  /// Index in Symbols of the addresses in constant bank 4, by their offset.
  std::map<int64_t, uint32_t> SymbolAtConstant;
  uint64_t StaticSharedBytes = 0;
  LaunchBounds Bounds;
  ResourceUse Resources;
};

/// Fills name, view, operations, blocks, loops, accesses and branches from
/// \p Function. Functions that it calls are part of each place that calls them.
/// Operation::Origin is the line of the line table. Opcodes without a row in
/// SassOpcode.def become InstClass::Unknown and a gap. Fails when a branch goes
/// to a label that is not there.
llvm::Expected<KernelFacts> readSass(const SassFunction &Function);

/// The same where no other view says what the instructions compute: they do,
/// with \p Of. Fills all of the facts but Demangled and BuiltBy. Parameters
/// that accesses take as addresses are pointers. What an instruction computes
/// that addresses and conditions are seldom made of is Semantics::Opaque; a gap
/// says how many accesses have addresses that rest on that. The ways that
/// divisions and roots take for numbers out of their range are taken not to
/// run.
llvm::Expected<KernelFacts> readSassAlone(const SassFunction &Function,
                                          const SassKernel &Of);

} // namespace gpuocc

#endif // GPUOCC_READSASS_READSASS_H
