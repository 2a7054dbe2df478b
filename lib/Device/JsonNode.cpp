//===- JsonNode.cpp - JSON values that know their place -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonNode.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace gpuocc;
using namespace llvm;

void JsonDiagnostics::report(const Twine &Place, const Twine &What) {
  if (failed())
    return;
  std::string Where = Place.str();
  First = Where.empty() ? What.str() : (Where + ": " + What).str();
}

Error JsonDiagnostics::takeError() const {
  if (!failed())
    return Error::success();
  return createFileError(FileName,
                         createStringError(inconvertibleErrorCode(), First));
}

static StringRef kindText(const json::Value &V) {
  switch (V.kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Boolean:
    return "true or false";
  case json::Value::Number:
    return "a number";
  case json::Value::String:
    return "a string";
  case json::Value::Array:
    return "an array";
  case json::Value::Object:
    return "an object";
  }
  llvm_unreachable("every kind of JSON value is above");
}

std::string gpuocc::jsonPlaceStep(StringRef Key) {
  bool IsName = !Key.empty() &&
                all_of(Key, [](char C) { return isAlnum(C) || C == '_'; });
  return IsName ? ("." + Key).str() : ("[\"" + Key + "\"]").str();
}

/// Appends the steps from \p From to \p To; false when it is not below.
static bool appendSteps(const json::Value &From, const json::Value &To,
                        std::string &Place) {
  if (&From == &To)
    return true;
  size_t Length = Place.size();
  auto Through = [&](const std::string &Step, const json::Value &V) {
    Place += Step;
    if (appendSteps(V, To, Place))
      return true;
    Place.resize(Length);
    return false;
  };
  if (const json::Object *O = From.getAsObject())
    return any_of(*O, [&](const auto &Member) {
      return Through(jsonPlaceStep(Member.first), Member.second);
    });
  if (const json::Array *A = From.getAsArray())
    return any_of(enumerate(*A), [&](const auto &Element) {
      return Through("[" + std::to_string(Element.index()) + "]",
                     Element.value());
    });
  return false;
}

std::string JsonNode::place() const {
  std::string Place;
  appendSteps(*Top, *Value, Place);
  return StringRef(Place).starts_with(".") ? Place.substr(1) : Place;
}

void JsonNode::report(const Twine &What) const {
  if (!Diags->failed())
    Diags->report(place(), What);
}

std::string JsonNode::text() const {
  if (std::optional<StringRef> S = Value->getAsString())
    return S->str();
  report("expected a string, found " + kindText(*Value));
  return {};
}

double JsonNode::number() const {
  std::optional<double> N = Value->getAsNumber();
  if (N && std::isfinite(*N))
    return *N;
  report("expected a number, found " +
         (N ? "one that is too large" : kindText(*Value)));
  return 0;
}

unsigned JsonNode::count() const {
  std::optional<int64_t> N = Value->getAsInteger();
  if (N && *N >= 0 && *N <= std::numeric_limits<unsigned>::max())
    return unsigned(*N);
  report("expected a whole number that is not negative, found " +
         (N ? std::to_string(*N) : kindText(*Value).str()));
  return 0;
}

bool JsonNode::flag() const {
  if (std::optional<bool> B = Value->getAsBoolean())
    return *B;
  report("expected true or false, found " + kindText(*Value));
  return false;
}

std::vector<std::pair<StringRef, JsonNode>> JsonNode::members() const {
  std::vector<std::pair<StringRef, JsonNode>> Result;
  const json::Object *O = Value->getAsObject();
  if (!O) {
    report("expected an object, found " + kindText(*Value));
    return Result;
  }
  for (const auto &Member : *O)
    Result.emplace_back(Member.first, child(Member.second));
  llvm::sort(Result, llvm::less_first());
  return Result;
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> Result;
  const json::Array *A = Value->getAsArray();
  if (!A) {
    report("expected an array, found " + kindText(*Value));
    return Result;
  }
  for (const json::Value &V : *A)
    Result.push_back(child(V));
  return Result;
}

std::optional<JsonNode> JsonNode::find(StringRef Key) const {
  const json::Object *O = Value->getAsObject();
  if (!O)
    return std::nullopt;
  const json::Value *V = O->get(Key);
  return V ? std::optional<JsonNode>(child(*V)) : std::nullopt;
}

std::optional<JsonNode> JsonNode::require(StringRef Key) const {
  std::optional<JsonNode> Member = find(Key);
  if (!Member)
    report("'" + Key + "' is missing");
  return Member;
}

void JsonNode::checkKeys(ArrayRef<StringRef> Valid) const {
  const json::Object *O = Value->getAsObject();
  if (!O)
    return report("expected an object, found " + kindText(*Value));
  // Sorted, and with that the report, only when there is something wrong.
  if (all_of(*O, [&](const auto &Member) {
        return is_contained(Valid, StringRef(Member.first));
      }))
    return;
  for (const auto &[Key, Member] : members())
    if (!is_contained(Valid, Key))
      return Member.reportUnknownKey(Key, Valid);
}

void JsonNode::reportUnknownKey(StringRef Key,
                                ArrayRef<StringRef> Valid) const {
  report("unknown key '" + Key + "'" + didYouMean(Key, Valid));
}

Expected<json::Value> gpuocc::parseJsonText(StringRef Text,
                                            StringRef FileName) {
  Expected<json::Value> Value = parseJSON(Text);
  if (!Value)
    return createFileError(FileName, Value.takeError());
  return Value;
}
