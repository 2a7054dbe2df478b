//===- Pool.cpp - Numbers of several processes ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Pools the numbers of \p Into and, at the same places, of \p Others.
static void pool(json::Object &Into, ArrayRef<const json::Object *> Others) {
  for (auto &[Key, Value] : Into) {
    json::Object *Here = Value.getAsObject();
    std::vector<const json::Object *> There;
    for (const json::Object *Other : Others)
      There.push_back(Other->getObject(Key));
    if (!Here || is_contained(There, nullptr))
      continue;
    std::optional<double> Mine = Here->getNumber("value");
    if (!Mine) {
      pool(*Here, There);
      continue;
    }
    if (Here->getString("origin") != "measured")
      continue;
    std::vector<double> Values = {*Mine};
    for (const json::Object *Other : There)
      if (std::optional<double> Theirs = Other->getNumber("value"))
        Values.push_back(*Theirs);
    *Here = *measured(summarize(Values), Take::Mean,
                      Here->getString("unit").value_or(""),
                      (Here->getString("source").value_or("") + "; mean of " +
                       Twine(Values.size()) + " processes")
                          .str())
                 .getAsObject();
  }
}

json::Object pooled(ArrayRef<json::Object> Runs) {
  json::Object First = Runs.front();
  std::vector<const json::Object *> Others;
  for (const json::Object &Run : Runs.drop_front())
    Others.push_back(&Run);
  pool(First, Others);
  return First;
}

} // namespace gpuocc::calibration
