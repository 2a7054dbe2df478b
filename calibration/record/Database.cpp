//===- Database.cpp - The device database that is being written -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "gpuocc/Device/DeviceModel.h"
#include "stats/Plausible.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <ctime>
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

Database::Database() { File["schema_version"] = DeviceSchemaVersion; }

json::Object &Database::section(StringRef Name) {
  json::Value &V = File[Name.str()];
  if (!V.getAsObject())
    V = json::Object();
  return *V.getAsObject();
}

bool Database::mayBe(const Twine &Place, const json::Value &Value) {
  const json::Object *N = Value.getAsObject();
  const json::Value *Number = N ? N->get("value") : nullptr;
  if (!Number || N->getString("origin") == "vendor")
    return true;
  const double Read = Number->getAsNumber().value_or(NAN);
  const StringRef Unit = N->getString("unit").value_or("");
  std::optional<std::string> Why = whyImplausible(Read, Unit);
  if (!Why)
    Why = whyImplausibleSpread(Read, Unit, N->getNumber("spread").value_or(0),
                               size_t(N->getInteger("samples").value_or(0)));
  if (Why)
    Problems.push_back((Place + " " + *Why).str());
  return !Why;
}

Error Database::takeProblems() {
  const std::vector<std::string> Found = std::exchange(Problems, {});
  if (Found.empty())
    return Error::success();
  return createStringError(
      "%s%s", Found.front().c_str(),
      Found.size() == 1
          ? ""
          : ("; and " + Twine(Found.size() - 1) + " more").str().c_str());
}

void Database::set(StringRef Section, StringRef Key, json::Value Number) {
  if (!mayBe(Section + "." + Key, Number))
    return;
  section(Section)[Key.str()] = std::move(Number);
}

void Database::setInstruction(StringRef Class, StringRef Key,
                              json::Value Value) {
  if (!mayBe("instructions." + Class + "." + Key, Value))
    return;
  json::Value &Entry = section("instructions")[Class.str()];
  if (!Entry.getAsObject())
    Entry = json::Object();
  (*Entry.getAsObject())[Key.str()] = std::move(Value);
}

void Database::removeInstruction(StringRef Class) {
  section("instructions").erase(Class);
}

void Database::setRecord(StringRef Key, StringRef Text) {
  section("record")[Key.str()] = Text.str();
}

void Database::setTop(StringRef Key, json::Value Value) {
  File[Key.str()] = std::move(Value);
}

void Database::setTable(StringRef Name, json::Value Table) {
  section("tables")[Name.str()] = std::move(Table);
}

static std::optional<double> numberValue(const json::Object *Number) {
  return Number ? Number->getNumber("value") : std::nullopt;
}

std::optional<double> Database::value(StringRef Section, StringRef Key) const {
  const json::Object *S = File.getObject(Section);
  return S ? numberValue(S->getObject(Key)) : std::nullopt;
}

std::optional<double> Database::instructionValue(StringRef Class,
                                                 StringRef Key) const {
  const json::Object *S = File.getObject("instructions");
  const json::Object *Entry = S ? S->getObject(Class) : nullptr;
  return Entry ? numberValue(Entry->getObject(Key)) : std::nullopt;
}

std::string today() {
  std::time_t Now = std::time(nullptr);
  char Text[16] = "";
  std::tm Parts;
  gmtime_r(&Now, &Parts);
  std::strftime(Text, sizeof(Text), "%Y-%m-%d", &Parts);
  return Text;
}

static json::Object number(double Value, StringRef Unit, StringRef Origin,
                           StringRef Source) {
  return json::Object{{"value", Value},
                      {"unit", Unit.str()},
                      {"origin", Origin.str()},
                      {"source", Source.str()}};
}

json::Value measured(const Summary &S, Take Which, StringRef Unit,
                     StringRef Source) {
  json::Object N = number(Which == Take::Mean ? S.Mean : S.Minimum, Unit,
                          "measured", Source);
  N["date"] = today();
  N["samples"] = int64_t(S.Samples);
  N["spread"] = S.spread();
  N["stable"] = S.Stable;
  return N;
}

json::Value derived(double Value, StringRef Unit, StringRef Source) {
  return number(Value, Unit, "derived", Source);
}

json::Value vendor(double Value, StringRef Unit, StringRef Source) {
  return number(Value, Unit, "vendor", Source);
}

json::Value Table::toJson() const {
  json::Array RowArray;
  for (const std::vector<double> &Row : Rows) {
    json::Array Cells;
    for (double Cell : Row)
      Cells.push_back(Cell);
    RowArray.push_back(std::move(Cells));
  }
  return json::Object{{"columns", json::Array(Columns)},
                      {"units", json::Array(Units)},
                      {"rows", std::move(RowArray)},
                      {"source", Source},
                      {"date", today()}};
}

/// Takes the numbers out of \p Section that came out 0, or as differences below
/// it: of a time or a rate that says nothing, and a database leaves out what is
/// not known.
static void eraseZeros(json::Object &Section) {
  std::vector<json::ObjectKey> Zeros;
  for (const auto &[Key, Value] : Section)
    if (const json::Object *N = Value.getAsObject();
        N && numberValue(N).value_or(1) <= 0)
      Zeros.push_back(Key);
  for (const json::ObjectKey &Key : Zeros)
    Section.erase(Key);
}

json::Object promoted(json::Object File, StringRef From) {
  if (json::Object *Instructions = File.getObject("instructions"))
    for (auto &Class : *Instructions)
      if (json::Object *Entry = Class.second.getAsObject())
        eraseZeros(*Entry);
  if (json::Object *Runtime = File.getObject("runtime"))
    eraseZeros(*Runtime);
  if (json::Object *Tables = File.getObject("tables"))
    Tables->erase("kernel_checks");
  if (json::Object *Record = File.getObject("record"))
    (*Record)["results"] = From.str();
  return File;
}

SettledCount countSettled(const json::Object &File,
                          const json::Object &Before) {
  SettledCount Count;
  for (const auto &[Key, Value] : File) {
    const json::Object *Now = Value.getAsObject();
    if (!Now)
      continue;
    const json::Object *Was = Before.getObject(Key);
    if (!Now->get("value")) {
      const SettledCount Below =
          countSettled(*Now, Was ? *Was : json::Object());
      Count.Measured += Below.Measured;
      Count.Unstable += Below.Unstable;
      continue;
    }
    if (Now->getString("origin") != "measured" || (Was && *Was == *Now))
      continue;
    ++Count.Measured;
    Count.Unstable += Now->getBoolean("stable") == false;
  }
  return Count;
}

unsigned markUnstable(json::Object &File, const json::Object &Before) {
  unsigned Marked = 0;
  for (auto &[Key, Value] : File) {
    json::Object *Now = Value.getAsObject();
    if (!Now)
      continue;
    const json::Object *Was = Before.getObject(Key);
    if (!Now->get("value")) {
      Marked += markUnstable(*Now, Was ? *Was : json::Object());
      continue;
    }
    if (Now->getString("origin") != "measured" || (Was && *Was == *Now))
      continue;
    (*Now)["stable"] = false;
    ++Marked;
  }
  return Marked;
}

void addNumbers(json::Object &File, const json::Object &More) {
  for (const auto &[Key, Value] : More) {
    const json::Object *Section = Value.getAsObject();
    json::Object *Into = File.getObject(Key);
    if (Section && Into && !Section->get("value"))
      addNumbers(*Into, *Section);
    else
      File[Key] = Value;
  }
}

/// Takes numbers without a meaning out of \p Section, which lies at \p Place,
/// and adds their places to \p Left.
static void leaveOutZeros(json::Object &Section, const std::string &Place,
                          bool OfInstructions, std::vector<std::string> &Left) {
  std::map<std::string, json::Object *> InOrder;
  for (auto &[Key, Value] : Section)
    if (json::Object *Member = Value.getAsObject())
      InOrder[Key.str()] = Member;
  for (const auto &[Key, Member] : InOrder) {
    const std::string Here = Place + "." + Key;
    if (!Member->get("value")) {
      leaveOutZeros(*Member, Here, OfInstructions, Left);
      continue;
    }
    const double Value = Member->getNumber("value").value_or(0);
    const bool MayBeZero =
        !OfInstructions && Member->getString("unit") == "cycle";
    if (Value > 0 || (Value == 0 && MayBeZero))
      continue;
    Left.push_back(Here);
    Section.erase(Key);
  }
}

void leaveOutZeros(json::Object &File) {
  std::vector<std::string> Left;
  for (StringRef Name :
       {"chip", "memory", "runtime", "instructions", "dependences"})
    if (json::Object *Section = File.getObject(Name))
      leaveOutZeros(*Section, Name.str(), Name == "instructions", Left);
  if (Left.empty())
    return;
  json::Value &Record = File["record"];
  if (!Record.getAsObject())
    Record = json::Object();
  (*Record.getAsObject())["left_out"] = join(Left, ", ");
}

void addMissing(json::Object &File, const json::Object &More) {
  for (const auto &[Key, Value] : More) {
    json::Value *Own = File.get(Key);
    if (!Own) {
      File[Key] = Value;
      continue;
    }
    json::Object *Into = Own->getAsObject();
    const json::Object *From = Value.getAsObject();
    if (Into && From && !Into->get("value"))
      addMissing(*Into, *From);
  }
}

} // namespace gpuocc::calibration
