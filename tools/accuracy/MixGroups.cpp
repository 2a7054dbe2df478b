//===- MixGroups.cpp - Kinds of SASS instructions -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixGroups.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include <cmath>
#include <numeric>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::mixGroupName(MixGroup G) {
  static constexpr StringLiteral Names[] = {
#define MIX_GROUP(Enum, Name) Name,
#include "MixGroups.def"
  };
  return Names[size_t(G)];
}

MixGroup gpuocc::mixGroupOf(InstClass C) {
  struct ClassRow {
    InstClass Class;
    MixGroup Group;
  };
  static constexpr ClassRow Classes[] = {
#define MIX_CLASS(Class, Group) {InstClass::Class, MixGroup::Group},
#include "MixGroups.def"
  };
  struct PipeRow {
    Resource Pipe;
    MixGroup Group;
  };
  static constexpr PipeRow Pipes[] = {
#define MIX_PIPE(Pipe, Group) {Resource::Pipe, MixGroup::Group},
#include "MixGroups.def"
  };
  for (const ClassRow &Row : Classes)
    if (Row.Class == C)
      return Row.Group;
  for (const PipeRow &Row : Pipes)
    if (Row.Pipe == defaultPipe(C))
      return Row.Group;
  return MixGroup::Other;
}

MixGroup gpuocc::mixGroupOf(StringRef Opcode) {
  struct OpcodeRow {
    StringLiteral Opcode;
    MixGroup Group;
  };
  static constexpr OpcodeRow Opcodes[] = {
#define MIX_OPCODE(Opcode, Group) {Opcode, MixGroup::Group},
#include "MixGroups.def"
  };
  for (const OpcodeRow &Row : Opcodes) {
    StringRef Pattern = Row.Opcode;
    if (Pattern.consume_back("*") ? Opcode.starts_with(Pattern)
                                  : Opcode == Pattern)
      return Row.Group;
  }
  return MixGroup::Other;
}

MixCounts gpuocc::predictedMix(ArrayRef<ClassCount> Mix) {
  MixCounts Counts{};
  for (const ClassCount &C : Mix)
    Counts[size_t(mixGroupOf(C.Class))] += C.PerWarp;
  return Counts;
}

MixCounts gpuocc::executedMix(const std::map<std::string, double> &Opcodes,
                              double NumWarps) {
  MixCounts Counts{};
  for (const auto &[Opcode, Executed] : Opcodes)
    Counts[size_t(mixGroupOf(StringRef(Opcode)))] += Executed / NumWarps;
  return Counts;
}

double gpuocc::mixDistance(const MixCounts &First, const MixCounts &Second) {
  double FirstSum = std::accumulate(First.begin(), First.end(), 0.0);
  double SecondSum = std::accumulate(Second.begin(), Second.end(), 0.0);
  if (FirstSum <= 0 || SecondSum <= 0)
    return 1;
  double Distance = 0;
  for (size_t I = 0; I != NumMixGroups; ++I)
    Distance += std::fabs(First[I] / FirstSum - Second[I] / SecondSum) / 2;
  return Distance;
}
