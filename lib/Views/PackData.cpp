//===- PackData.cpp - Data of large pages ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Shorter texts of values are not looked up elsewhere.
static constexpr size_t ShortText = 16;

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

/// \p V with alike objects of arrays as columns.
static json::Value inColumns(const json::Value &V) {
  constexpr size_t Few = 3;
  if (const json::Object *O = V.getAsObject()) {
    json::Object Out;
    for (const auto &[Key, Member] : *O)
      Out[Key] = inColumns(Member);
    return Out;
  }
  const json::Array *A = V.getAsArray();
  if (!A)
    return V;
  if (A->size() < Few || !haveSameKeys(*A)) {
    json::Array Out;
    for (const json::Value &Element : *A)
      Out.push_back(inColumns(Element));
    return Out;
  }
  const std::vector<std::string> Keys = keysOf(*A->front().getAsObject());
  json::Array Columns;
  for (const std::string &Key : Keys) {
    json::Array Column;
    for (const json::Value &Element : *A)
      Column.push_back(inColumns(*Element.getAsObject()->get(Key)));
    Columns.push_back(std::move(Column));
  }
  return json::Object{{"$k", json::Array(Keys)}, {"$c", std::move(Columns)}};
}

namespace {

/// Writes values, those that stand in several places as references.
class SharedValues {
public:
  /// Looks for what stands in several places within \p V.
  void count(const json::Value &V);
  std::string text(const json::Value &V);
  const std::vector<std::string> &values() const { return Values; }

private:
  /// Of what \p V holds, by \p TextOf.
  template <typename Fn>
  static std::string joined(const json::Value &V, Fn TextOf);
  static std::string wholeText(const json::Value &V) {
    return joined(V, [](const json::Value &Part) { return wholeText(Part); });
  }

  StringMap<unsigned> Uses;
  StringMap<size_t> Places;
  std::vector<std::string> Values;
};

} // namespace

template <typename Fn>
std::string SharedValues::joined(const json::Value &V, Fn TextOf) {
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Comma(",");
  if (const json::Array *A = V.getAsArray()) {
    OS << '[';
    for (const json::Value &Element : *A)
      OS << Comma << TextOf(Element);
    OS << ']';
  } else if (const json::Object *O = V.getAsObject()) {
    OS << '{';
    for (const std::string &Key : keysOf(*O))
      OS << Comma << json::Value(Key) << ':' << TextOf(*O->get(Key));
    OS << '}';
  } else if (V.kind() == json::Value::Number && !V.getAsInteger()) {
    // A page shows three.
    OS << format("%.4g", *V.getAsNumber());
  } else {
    OS << V;
  }
  return Text;
}

static bool mayBeShared(const json::Value &V) {
  return V.getAsArray() || V.getAsObject() || V.getAsString();
}

void SharedValues::count(const json::Value &V) {
  if (!mayBeShared(V))
    return;
  const std::string Text = wholeText(V);
  // What a value holds that is there once stands in one place.
  if (Text.size() >= ShortText && ++Uses[Text] > 1)
    return;
  if (const json::Array *A = V.getAsArray())
    for (const json::Value &Element : *A)
      count(Element);
  if (const json::Object *O = V.getAsObject())
    for (const auto &KV : *O)
      count(KV.second);
}

std::string SharedValues::text(const json::Value &V) {
  auto Inner = [&] {
    return joined(V, [&](const json::Value &Part) { return text(Part); });
  };
  if (!mayBeShared(V))
    return Inner();
  const std::string Text = wholeText(V);
  if (Uses.lookup(Text) < 2)
    return Inner();
  auto Place = Places.find(Text);
  if (Place == Places.end()) {
    std::string Packed = Inner();
    Place = Places.try_emplace(Text, Values.size()).first;
    Values.push_back(std::move(Packed));
  }
  return "{\"$v\":" + std::to_string(Place->second) + "}";
}

std::string gpuocc::packData(const json::Value &Data) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << '{';
  const json::Object &Members = *Data.getAsObject();
  for (const std::string &Key : keysOf(Members))
    if (Key != "kernels")
      OS << json::Value(Key) << ':' << *Members.get(Key) << ',';
  const json::Value Kernels = inColumns(*Members.get("kernels"));
  SharedValues Shared;
  Shared.count(Kernels);
  OS << "\"kernels\":" << Shared.text(Kernels) << ",\"$values\":[";
  ListSeparator Comma(",");
  for (const std::string &Value : Shared.values())
    OS << Comma << Value;
  OS << "]}";
  return Text;
}
