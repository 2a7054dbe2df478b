//===- Settings.cpp - What the user may set -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settings.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

namespace {

/// Reads its setting; false where the value is of another type.
using Setter = std::function<bool(const json::Value &)>;

struct Row {
  StringLiteral Name;
  /// What it takes, in words.
  StringLiteral Takes;
  Setter Set;
};

} // namespace

static Setter text(std::string &Slot) {
  return [&Slot](const json::Value &J) {
    std::optional<StringRef> Value = J.getAsString();
    Slot = Value.value_or("").str();
    return Value.has_value();
  };
}

static Setter texts(std::vector<std::string> &Slot) {
  return [&Slot](const json::Value &J) {
    const json::Array *Values = J.getAsArray();
    if (!Values)
      return false;
    Slot.clear();
    for (const json::Value &Value : *Values) {
      std::optional<StringRef> Word = Value.getAsString();
      if (!Word)
        return false;
      Slot.push_back(Word->str());
    }
    return true;
  };
}

static Setter gain(double &Slot) {
  return [&Slot](const json::Value &J) {
    std::optional<double> Value = J.getAsNumber();
    if (!Value || *Value < 1)
      return false;
    Slot = *Value;
    return true;
  };
}

static Setter flag(bool &Slot) {
  return [&Slot](const json::Value &J) {
    std::optional<bool> Value = J.getAsBoolean();
    Slot = Value.value_or(Slot);
    return Value.has_value();
  };
}

static Setter count(unsigned &Slot) {
  constexpr int64_t Most = 1'000'000;
  return [&Slot](const json::Value &J) {
    std::optional<int64_t> Value = J.getAsInteger();
    if (!Value || *Value < 0 || *Value > Most)
      return false;
    Slot = unsigned(*Value);
    return true;
  };
}

static std::vector<Row> rowsOf(Settings &S) {
  return {
      {"device", "a text", text(S.Device)},
      {"devices", "a list of texts", texts(S.Devices)},
      {"launches", "a list of texts", texts(S.Launches)},
      {"compilerArguments", "a list of texts", texts(S.CompilerArguments)},
      {"compilationDatabase", "a text", text(S.CompilationDatabase)},
      {"ptxas", "a text", text(S.Ptxas)},
      {"clang", "a text", text(S.Clang)},
      {"warningGain", "a number of at least 1", gain(S.WarningGain)},
      {"informationGain", "a number of at least 1", gain(S.InformationGain)},
      {"codeLens", "true or false", flag(S.ShowsLenses)},
      {"inlayHints", "true or false", flag(S.ShowsHints)},
      {"delayMs", "a number of milliseconds", count(S.DelayMs)},
      {"limitSeconds", "a number of seconds", count(S.LimitSeconds)}};
}

Expected<Settings> editor::parseSettings(const json::Value &J) {
  Settings Out;
  const json::Object *O = J.getAsObject();
  if (!O)
    return Out;
  if (const json::Object *Own = O->getObject("gpu-occupancy"))
    O = Own;
  std::vector<Row> Rows = rowsOf(Out);
  SmallVector<StringRef, 16> Names;
  for (const Row &R : Rows)
    Names.push_back(R.Name);
  for (const auto &[Key, Value] : *O) {
    StringRef Name = Key;
    const auto *Found =
        find_if(Rows, [&](const Row &R) { return R.Name == Name; }).base();
    if (Found == Rows.data() + Rows.size())
      return createStringError("there is no setting '" + Name + "'" +
                               didYouMean(Name, Names));
    if (!Value.getAsNull() && !Found->Set(Value))
      return createStringError("the setting '" + Name + "' takes " +
                               Found->Takes);
  }
  return Out;
}
