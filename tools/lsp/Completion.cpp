//===- Completion.cpp - What a configuration can say ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "gpuocc/Config/ConfigKeys.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

namespace {
/// A line of a YAML block: where its key begins, and the key.
struct BlockLine {
  size_t Indent = 0;
  bool IsElement = false;
  StringRef Key;
  /// What stands behind "key:".
  StringRef Value;
  bool HasColon = false;
};
} // namespace

static BlockLine parseLine(StringRef Line) {
  BlockLine Out;
  StringRef Rest = Line.take_front(Line.find('#'));
  const size_t Length = Rest.size();
  Rest = Rest.ltrim(' ');
  while (Rest.starts_with("- ") || Rest == "-") {
    Out.IsElement = true;
    Rest = Rest.drop_front().ltrim(' ');
  }
  Out.Indent = Length - Rest.size();
  const size_t Colon = Rest.find(':');
  Out.HasColon = Colon != StringRef::npos;
  Out.Key = Rest.take_front(Colon).trim();
  Out.Value = Out.HasColon ? Rest.drop_front(Colon + 1).trim() : "";
  return Out;
}

/// The keys that the line \p Index is inside of, outermost first.
static SmallVector<StringRef, 4>
keysAround(const Document &Text, unsigned Index, const BlockLine &Own) {
  SmallVector<StringRef, 4> Keys;
  // An element may stand as far left as the key of its list.
  size_t Indent = Own.IsElement ? Own.Indent - 1 : Own.Indent;
  while (Index-- != 0 && Indent != 0) {
    const BlockLine Above = parseLine(Text.line(Index));
    if (Above.Key.empty() || Above.Indent >= Indent)
      continue;
    if (Above.HasColon && Above.Value.empty())
      Keys.insert(Keys.begin(), Above.Key);
    Indent = Above.IsElement ? Above.Indent - 1 : Above.Indent;
  }
  return Keys;
}

static lsp::CompletionItem item(StringRef Label, lsp::CompletionItemKind Kind,
                                StringRef Detail = "") {
  lsp::CompletionItem Item(Label, Kind);
  Item.detail = Detail.str();
  return Item;
}

static void addKeys(StringRef Section, lsp::CompletionList &Out) {
  for (const ConfigKey &Key : configKeys())
    if (Key.Section == Section) {
      lsp::CompletionItem &Item = Out.items.emplace_back(
          item(Key.Name, lsp::CompletionItemKind::Property, Key.Description));
      Item.insertText = (Key.Name + ": ").str();
    }
}

static void addRules(bool AsKeys, lsp::CompletionList &Out) {
  for (unsigned I = 0; I != NumRules; ++I) {
    lsp::CompletionItem &Item = Out.items.emplace_back(
        item(ruleName(RuleId(I)), lsp::CompletionItemKind::EnumMember,
             ruleTitle(RuleId(I))));
    if (AsKeys)
      Item.insertText = Item.label + ": ";
  }
}

/// Values of the key \p Key.
static void addValues(StringRef Key, ArrayRef<std::string> Kernels,
                      lsp::CompletionList &Out) {
  if (Key == "device")
    for (const EmbeddedDevice &Device : embeddedDevices())
      Out.items.push_back(item(Device.Name, lsp::CompletionItemKind::Value,
                               Device.Names.split('\n').first));
  if (Key == "kernel")
    for (const std::string &Kernel : Kernels)
      Out.items.push_back(item(Kernel, lsp::CompletionItemKind::Function));
  if (Key == "suppress")
    addRules(/*AsKeys=*/false, Out);
}

lsp::CompletionList
editor::configurationCompletion(const Document &Text, lsp::Position At,
                                ArrayRef<std::string> Kernels) {
  lsp::CompletionList Out;
  StringRef Line = Text.text().slice(Text.offsetOf(lsp::Position(At.line, 0)),
                                     Text.offsetOf(At));
  if (Line.contains('#'))
    return Out;
  const BlockLine Own = parseLine(Line);
  const SmallVector<StringRef, 4> Around =
      keysAround(Text, unsigned(At.line), Own);
  if (Own.HasColon) {
    addValues(Own.Key, Kernels, Out);
    return Out;
  }
  if (Around.empty())
    addKeys("", Out);
  else if (Around.back() == "suppress")
    addValues("suppress", Kernels, Out);
  else if (Around.back() == "rules")
    addRules(/*AsKeys=*/true, Out);
  else if (Around.size() == 3 && Around[1] == "rules")
    addKeys("rules", Out);
  else if (Around.size() == 1)
    addKeys(Around.front(), Out);
  return Out;
}
