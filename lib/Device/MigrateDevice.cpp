//===- MigrateDevice.cpp - Device databases of older versions -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/MigrateDevice.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Support/FileFormat.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct ClassRow {
  unsigned Since;
  StringLiteral Old, New;
};
struct SassRow {
  unsigned Since;
  StringLiteral Key;
};
struct QuantityRow {
  unsigned Since;
  StringLiteral Section, Old, New;
};
} // namespace

static constexpr ClassRow ClassRows[] = {
#define CLASS_RENAMED(Since, Old, New) {Since, Old, New},
#include "DeviceChanges.def"
};

static constexpr SassRow SassRows[] = {
#define SASS_REMOVED(Since, Key) {Since, Key},
#include "DeviceChanges.def"
};

/// Ends with a row that no file is older than, since there may be no other.
static constexpr QuantityRow QuantityRows[] = {
#define QUANTITY_RENAMED(Since, Section, Old, New) {Since, Section, Old, New},
#include "DeviceChanges.def"
    {0, "", "", ""}};

static constexpr std::pair<StringLiteral, StringLiteral> RemovedQuantities[] = {
#define QUANTITY_REMOVED(Section, Key) {Section, Key},
#include "DeviceChanges.def"
};

static void rename(json::Object &Section, StringRef Old, StringRef New) {
  json::Value *Found = Section.get(Old);
  if (!Found)
    return;
  json::Value Value = std::move(*Found);
  Section.erase(Old);
  Section.try_emplace(New.str(), std::move(Value));
}

/// \p Key of `dependences`, or a cell or column of the table of latencies, with
/// the new name of the class.
static std::string renamedIn(StringRef Key, const ClassRow &Row) {
  static constexpr StringLiteral Arrow = " -> ";
  const size_t Where = Key.find(Arrow);
  if (Where != StringRef::npos)
    return renamedIn(Key.take_front(Where), Row) + Arrow.str() +
           renamedIn(Key.drop_front(Where + Arrow.size()), Row);
  for (StringRef Use : {"", ".address", ".predicate"})
    if (Key == (Row.Old + Use).str())
      return (Row.New + Use).str();
  return Key.str();
}

static void renameTexts(json::Value *Texts, const ClassRow &Row) {
  if (json::Array *Elements = Texts ? Texts->getAsArray() : nullptr)
    for (json::Value &Element : *Elements)
      if (std::optional<StringRef> Text = Element.getAsString())
        Element = renamedIn(*Text, Row);
}

static void renameClass(json::Object &File, const ClassRow &Row) {
  if (json::Object *Instructions = File.getObject("instructions"))
    rename(*Instructions, Row.Old, Row.New);
  if (json::Object *Dependences = File.getObject("dependences")) {
    std::vector<std::string> Keys;
    for (const auto &Member : *Dependences)
      Keys.push_back(Member.first.str());
    for (const std::string &Key : Keys)
      if (std::string New = renamedIn(Key, Row); New != Key)
        rename(*Dependences, Key, New);
  }
  json::Object *Tables = File.getObject("tables");
  json::Object *Latencies =
      Tables ? Tables->getObject(CrossClassLatencyTable) : nullptr;
  if (!Latencies)
    return;
  renameTexts(Latencies->get("columns"), Row);
  if (json::Array *Rows = Latencies->getArray("rows"))
    for (json::Value &Cells : *Rows)
      renameTexts(&Cells, Row);
}

static void removeFromSass(json::Object &File, StringRef Key) {
  json::Object *Instructions = File.getObject("instructions");
  if (!Instructions)
    return;
  for (auto &Member : *Instructions)
    if (json::Object *Timing = Member.second.getAsObject())
      if (json::Object *Sass = Timing->getObject("sass"))
        Sass->erase(Key);
}

Error gpuocc::migrateDevice(json::Object &File) {
  std::optional<int64_t> Version = File.getInteger("schema_version");
  if (!Version)
    return Error::success();
  if (Error E = checkVersion(FileFormat::DeviceDatabase, *Version))
    return E;
  for (const ClassRow &Row : ClassRows)
    if (*Version < int64_t(Row.Since))
      renameClass(File, Row);
  for (const SassRow &Row : SassRows)
    if (*Version < int64_t(Row.Since))
      removeFromSass(File, Row.Key);
  for (const QuantityRow &Row : QuantityRows)
    if (*Version < int64_t(Row.Since))
      if (json::Object *Section = File.getObject(Row.Section))
        rename(*Section, Row.Old, Row.New);
  for (const auto &[Name, Key] : RemovedQuantities)
    if (json::Object *Section = File.getObject(Name))
      Section->erase(Key);
  File["schema_version"] = DeviceSchemaVersion;
  return Error::success();
}
