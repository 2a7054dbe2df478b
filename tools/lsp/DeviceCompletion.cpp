//===- DeviceCompletion.cpp - What a device database can say --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCompletion.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

namespace {

/// Goes through JSON up to a place of it: the keys around the place, and what
/// can stand there.
class PlaceScanner {
public:
  explicit PlaceScanner(StringRef Front) {
    while (!Front.empty())
      Front = take(Front);
  }

  /// True where a key can stand, or a part of one does.
  bool wantsKey() const {
    return !Levels.empty() && Levels.back().IsObject && Levels.back().WantsKey;
  }
  bool isInString() const { return InString; }

  /// The keys on the way to the object around the place.
  std::vector<StringRef> keys() const {
    std::vector<StringRef> Keys;
    for (const Level &L : drop_end(Levels))
      if (L.IsObject)
        Keys.push_back(L.Key);
    return Keys;
  }

private:
  struct Level {
    bool IsObject = false;
    bool WantsKey = false;
    StringRef Key;
  };

  /// Takes a sign or a string, and returns what is left.
  StringRef take(StringRef Rest) {
    const char C = Rest.front();
    Rest = Rest.drop_front();
    if (C == '"')
      return takeString(Rest);
    if (C == '{' || C == '[')
      Levels.push_back({C == '{', C == '{', ""});
    else if (Levels.empty())
      return Rest;
    else if (C == '}' || C == ']')
      Levels.pop_back();
    else if (C == ':')
      Levels.back().WantsKey = false;
    else if (C == ',')
      Levels.back().WantsKey = Levels.back().IsObject;
    return Rest;
  }

  StringRef takeString(StringRef Rest) {
    size_t End = 0;
    while (End < Rest.size() && Rest[End] != '"')
      End += Rest[End] == '\\' ? 2 : 1;
    InString = End >= Rest.size();
    if (!InString && wantsKey())
      Levels.back().Key = Rest.take_front(End);
    return Rest.drop_front(std::min(Rest.size(), End + 1));
  }

  std::vector<Level> Levels;
  bool InString = false;
};

} // namespace

/// Adds the objects that \p V is or, for a list, holds to \p Out.
static void addObjects(const json::Value &V,
                       std::vector<const json::Object *> &Out) {
  if (const json::Object *O = V.getAsObject())
    Out.push_back(O);
  else if (const json::Array *A = V.getAsArray())
    for (const json::Value &Element : *A)
      addObjects(Element, Out);
}

/// What stands under \p Key in \p Objects. A key that none of them has is a
/// name, such as that of an instruction: what stands under others.
static std::vector<const json::Object *>
below(ArrayRef<const json::Object *> Objects, StringRef Key) {
  std::vector<const json::Object *> Same, Others;
  for (const json::Object *O : Objects)
    for (const auto &[Name, Value] : *O)
      addObjects(Value, StringRef(Name) == Key ? Same : Others);
  return Same.empty() ? Others : Same;
}

lsp::CompletionList editor::deviceCompletion(const Document &Text,
                                             lsp::Position At) {
  lsp::CompletionList Out;
  const PlaceScanner Place(Text.text().take_front(Text.offsetOf(At)));
  if (!Place.wantsKey())
    return Out;
  std::set<std::string> Keys;
  for (const EmbeddedDevice &Device : embeddedDevices()) {
    Expected<json::Value> Parsed = parseJSON(Device.Text);
    if (!Parsed) {
      consumeError(Parsed.takeError());
      continue;
    }
    std::vector<const json::Object *> Objects;
    addObjects(*Parsed, Objects);
    for (StringRef Key : Place.keys())
      Objects = below(Objects, Key);
    for (const json::Object *O : Objects)
      for (const auto &[Name, Value] : *O)
        Keys.insert(StringRef(Name).str());
  }
  for (const std::string &Key : Keys) {
    lsp::CompletionItem &Item =
        Out.items.emplace_back(Key, lsp::CompletionItemKind::Property);
    Item.insertText = Place.isInString() ? Key : "\"" + Key + "\": ";
  }
  return Out;
}
