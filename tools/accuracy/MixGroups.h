//===- MixGroups.h - Kinds of SASS instructions -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_MIXGROUPS_H
#define GPUOCC_TOOLS_ACCURACY_MIXGROUPS_H

#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>

namespace gpuocc {

struct ClassCount;

/// Rows of MixGroups.def.
enum class MixGroup : uint8_t {
#define MIX_GROUP(Enum, Name) Enum,
#include "MixGroups.def"
};

constexpr unsigned NumMixGroups = 0
#define MIX_GROUP(Enum, Name) +1
#include "MixGroups.def"
    ;

llvm::StringRef mixGroupName(MixGroup G);
MixGroup mixGroupOf(InstClass C);
/// Of a SASS opcode without modifiers; Other for an unlisted one.
MixGroup mixGroupOf(llvm::StringRef Opcode);

/// Warp instructions per warp in each group.
using MixCounts = std::array<double, NumMixGroups>;

MixCounts predictedMix(llvm::ArrayRef<ClassCount> Mix);
MixCounts executedMix(const std::map<std::string, double> &Opcodes,
                      double NumWarps);

/// Half the sum of the differences of shares: 0 for equal mixes, 1 for mixes
/// that have nothing in common (total variation distance).
double mixDistance(const MixCounts &First, const MixCounts &Second);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_MIXGROUPS_H
