//===- PackData.cpp - Data of large pages ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Digits of a number that a page shows, and one more.
static constexpr double ShownScale = 1e3;

/// Shorter texts of values are not looked up elsewhere.
static constexpr size_t ShortText = 16;

static double rounded(double V) {
  if (V == 0 || !std::isfinite(V))
    return V;
  const double Unit =
      std::pow(10.0, std::floor(std::log10(std::fabs(V)))) / ShownScale;
  // A quotient by a power of ten has few digits, a product may not.
  return Unit < 1 ? std::round(V / Unit) / std::round(1 / Unit)
                  : std::round(V / Unit) * Unit;
}

static std::string textOf(const json::Value &V) {
  std::string Text;
  raw_string_ostream(Text) << V;
  return Text;
}

/// In order: an object has none.
static std::vector<std::string> keysOf(const json::Object &O) {
  std::vector<std::string> Keys;
  for (const auto &KV : O)
    Keys.push_back(KV.first.str());
  llvm::sort(Keys);
  return Keys;
}

static bool haveSameKeys(const json::Array &A) {
  const json::Object *First = A.empty() ? nullptr : A.front().getAsObject();
  return First && !First->empty() && all_of(A, [&](const json::Value &V) {
           const json::Object *O = V.getAsObject();
           return O && O->size() == First->size() &&
                  all_of(*First,
                         [&](const auto &KV) { return O->get(KV.first); });
         });
}

static json::Value pack(const json::Value &V);

static json::Value packArray(const json::Array &A) {
  constexpr size_t Few = 3;
  json::Array Out;
  if (A.size() < Few || !haveSameKeys(A)) {
    for (const json::Value &Element : A)
      Out.push_back(pack(Element));
    return Out;
  }
  const std::vector<std::string> Keys = keysOf(*A.front().getAsObject());
  for (const json::Value &Element : A) {
    json::Array Row;
    for (const std::string &Key : Keys)
      Row.push_back(pack(*Element.getAsObject()->get(Key)));
    Out.push_back(std::move(Row));
  }
  return json::Object{{"$k", json::Array(Keys)}, {"$r", std::move(Out)}};
}

static json::Value pack(const json::Value &V) {
  if (const json::Array *A = V.getAsArray())
    return packArray(*A);
  if (const json::Object *O = V.getAsObject()) {
    json::Object Out;
    for (const auto &[Key, Member] : *O)
      Out[Key] = pack(Member);
    return Out;
  }
  if (V.kind() == json::Value::Number && !V.getAsInteger())
    return rounded(*V.getAsNumber());
  return V;
}

json::Value gpuocc::packData(const json::Value &Data) {
  json::Object Out;
  json::Array Kernels;
  for (const auto &[Key, Member] : *Data.getAsObject())
    if (Key != "kernels")
      Out[Key] = Member;
  StringMap<unsigned> Uses;
  for (const json::Value &Kernel : *Data.getAsObject()->getArray("kernels")) {
    Kernels.push_back(json::Object());
    for (const auto &[Key, Member] : *Kernel.getAsObject()) {
      json::Value Packed = pack(Member);
      ++Uses[textOf(Packed)];
      (*Kernels.back().getAsObject())[Key] = std::move(Packed);
    }
  }
  json::Array Values;
  StringMap<size_t> Places;
  for (json::Value &Kernel : Kernels)
    for (const std::string &Key : keysOf(*Kernel.getAsObject())) {
      json::Value &Member = *Kernel.getAsObject()->get(Key);
      const std::string Text = textOf(Member);
      if (Text.size() < ShortText || Uses[Text] < 2)
        continue;
      auto [Place, IsNew] = Places.try_emplace(Text, Values.size());
      if (IsNew)
        Values.push_back(std::move(Member));
      Member = json::Object{{"$v", int64_t(Place->second)}};
    }
  Out["kernels"] = std::move(Kernels);
  Out["$values"] = std::move(Values);
  return Out;
}
