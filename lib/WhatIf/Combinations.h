//===- Combinations.h - Values combined in any order ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_WHATIF_COMBINATIONS_H
#define GPUOCC_LIB_WHATIF_COMBINATIONS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>
#include <vector>

namespace gpuocc {

/// Looks for chains of combinations in some blocks of a kernel: operations of
/// one kind that may be done in any order, each the operand of the next.
class Chains {
public:
  Chains(const KernelFacts &Facts, llvm::ArrayRef<uint32_t> Blocks);

  bool isInside(uint32_t Op) const {
    return Inside[Facts.Operations[Op].Block];
  }

  /// Operations of the longest chain that ends in \p Op.
  unsigned lengthTo(uint32_t Op);

  /// True if \p Op leads to \p Phi through combinations of one kind.
  bool leadsTo(uint32_t Op, uint32_t Phi) const;

  /// True if \p Op leads to \p Phi through choices that go with those of an
  /// extreme value: the index of a maximum.
  bool accompanies(uint32_t Op, uint32_t Phi) const;

private:
  const KernelFacts &Facts;
  std::vector<bool> Inside;
  std::map<uint32_t, unsigned> Lengths;
};

/// What a loop carries from one iteration to the next, apart from counters and
/// pointers that it steps.
struct Carried {
  /// Iterations depend on each other in another way than by combinations.
  bool IsInOrder = false;
  /// Values that are combined.
  unsigned Results = 0;
  /// What combines one of them.
  InstClass Combine = {};
};

/// What \p L carries, whose blocks are those of \p In.
Carried carriedBy(const KernelFacts &Facts, const Chains &In, const Loop &L);

/// True if \p Result, of a loop in loop \p Around, is what the phi \p Phi of
/// its header holds, combined with other values by operations of one kind,
/// whichever way it came there.
bool isCombinedFrom(const KernelFacts &Facts, const Loop &Around,
                    uint32_t Result, uint32_t Phi);

/// True if the phi \p Phi of the header of \p L is a counter or a pointer to
/// which each iteration adds what does not change in the loop.
bool isStepped(const KernelFacts &Facts, const Loop &L, uint32_t Phi);

/// The number that \p O is in all threads of \p Launched: a constant, the
/// extent of its blocks, or what is computed from such; nothing where it is
/// none.
std::optional<int64_t> numberOf(const KernelFacts &Facts,
                                const Launch &Launched, const Operand &O);

/// What an iteration adds to the value of the phi \p Phi of the header of \p L;
/// nothing where that is no number.
std::optional<int64_t> stepOf(const KernelFacts &Facts, const Launch &Launched,
                              const Loop &L, uint32_t Phi);

} // namespace gpuocc

#endif // GPUOCC_LIB_WHATIF_COMBINATIONS_H
