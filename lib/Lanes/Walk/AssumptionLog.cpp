//===- AssumptionLog.cpp - What a walk took that nobody supplied ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/AssumptionLog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cassert>

using namespace gpuocc;
using namespace llvm;

void AssumptionLog::add(Assumption A) {
  if (none_of(Entries,
              [&](const Entry &Other) { return Other.A.What == A.What; }))
    Entries.push_back({std::move(A)});
}

TaintMask AssumptionLog::addInput(uint64_t Key, Assumption A) {
  auto It = find_if(Inputs, [&](const Input &I) { return I.Key == Key; });
  const auto Bit = unsigned(It - Inputs.begin());
  if (It == Inputs.end()) {
    Inputs.push_back({Key, "assumes " + A.What + " = " + A.Taken});
    Entries.push_back({std::move(A)});
  }
  return TaintMask(1) << std::min(Bit, LastInputBit);
}

void AssumptionLog::addTripCount(uint32_t Loop, Assumption A) {
  assert(!hasTripCount(Loop) && "a loop has one trip count");
  Entries.push_back({std::move(A), Loop});
}

bool AssumptionLog::hasTripCount(uint32_t Loop) const {
  return any_of(Entries, [&](const Entry &E) { return E.Loop == Loop; });
}

void AssumptionLog::dropTripCounts() {
  erase_if(Entries, [](const Entry &E) { return E.Loop != NoIndex; });
}

std::vector<Assumption> AssumptionLog::list() const {
  std::vector<Assumption> All;
  for (const Entry &E : Entries)
    All.push_back(E.A);
  return All;
}

void AssumptionLog::forEachInput(function_ref<void(uint64_t)> Use) const {
  for (const Input &I : Inputs)
    Use(I.Key);
}

std::string AssumptionLog::describe(TaintMask Taint) const {
  // What is said of each bit that is no input.
  static constexpr std::pair<TaintMask, StringLiteral> Kinds[] = {
      {DataTaint, "depends on loaded data"},
      {OpaqueTaint, "depends on a value that is not evaluated"},
      {ApproximateTaint, "depends on an approximate function"},
      {TripTaint, "depends on an assumed trip count"}};
  std::vector<StringRef> Parts;
  for (const auto &[Bit, Text] : Kinds)
    if (Taint & Bit)
      Parts.push_back(Text);
  for (unsigned Bit = 0; Bit < Inputs.size() && Bit <= LastInputBit; ++Bit)
    if ((Taint >> Bit) & 1)
      Parts.push_back(Inputs[Bit].Text);
  if (Taint & EffortTaint)
    Parts.push_back("extrapolated from a sample");
  return join(Parts, ", ");
}
