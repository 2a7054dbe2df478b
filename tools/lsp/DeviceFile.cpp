//===- DeviceFile.cpp - Device databases in the editor --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFile.h"
#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

bool editor::isDeviceFile(StringRef Path, StringRef Text) {
  return sys::path::extension(Path) == ".json" &&
         Text.contains("\"schema_version\"") &&
         Text.contains("\"architecture\"") && Text.contains("\"display_name\"");
}

/// True when \p Place goes on with the step \p Key, which is then taken off.
static bool takeStep(StringRef &Place, StringRef Key) {
  StringRef Rest = Place;
  const bool IsQuoted = Rest.consume_front("[\"");
  if (!IsQuoted)
    Rest.consume_front(".");
  if (!Rest.consume_front(Key) || (IsQuoted && !Rest.consume_front("\"]")) ||
      !(Rest.empty() || Rest.front() == '.' || Rest.front() == '['))
    return false;
  Place = Rest;
  return true;
}

/// The pointer to the deepest part of \p N on the way \p Place. The parser
/// reads forward only, so the first key that fits is the one.
static const char *placeIn(yaml::Node *N, StringRef Place) {
  const char *At = N->getSourceRange().Start.getPointer();
  if (auto *Map = dyn_cast<yaml::MappingNode>(N)) {
    for (yaml::KeyValueNode &Entry : *Map) {
      auto *Key = dyn_cast_or_null<yaml::ScalarNode>(Entry.getKey());
      if (!Key)
        return At;
      SmallString<64> Storage;
      StringRef Rest = Place;
      const char *KeyAt = Key->getSourceRange().Start.getPointer();
      if (!takeStep(Rest, Key->getValue(Storage))) {
        Entry.skip();
        continue;
      }
      yaml::Node *Value = Entry.getValue();
      return Rest.empty() || !Value ? KeyAt : placeIn(Value, Rest);
    }
  } else if (auto *List = dyn_cast<yaml::SequenceNode>(N)) {
    size_t Index = 0;
    for (yaml::Node &Element : *List) {
      StringRef Rest = Place;
      if (Rest.consume_front("[" + std::to_string(Index++) + "]"))
        return placeIn(&Element, Rest);
      Element.skip();
    }
  }
  return At;
}

size_t editor::offsetOfPlace(StringRef Text, StringRef Place) {
  // The parser of YAML takes a stack frame for each level.
  if (Expected<json::Value> Value = parseJSON(Text); !Value) {
    consumeError(Value.takeError());
    return 0;
  }
  SourceMgr Sources;
  Sources.setDiagHandler([](const SMDiagnostic &, void *) {});
  yaml::Stream Stream(Text, Sources, /*ShowColors=*/false);
  auto Document = Stream.begin();
  if (Document == Stream.end())
    return 0;
  yaml::Node *Root = Document->getRoot();
  const char *At = Root ? placeIn(Root, Place) : nullptr;
  return At && At >= Text.begin() && At <= Text.end()
             ? size_t(At - Text.begin())
             : 0;
}

/// The line from \p Offset on, with \p Message.
static Diagnostic diagnosticAt(const Document &Text, size_t Offset,
                               lsp::DiagnosticSeverity Severity,
                               StringRef Message) {
  Diagnostic D;
  const lsp::Position At = Text.positionOf(Offset);
  D.Range = lsp::Range(
      At, Text.positionOf(Text.offsetOf(lsp::Position(At.line, INT_MAX))));
  D.Severity = Severity;
  D.Message = Message.str();
  return D;
}

/// The error of the reader: "'FILE': PLACE: what", or "'FILE': [LINE:COLUMN,
/// byte=N]: what" of a text that is no JSON.
static Diagnostic diagnosticOf(const Document &Text, StringRef Path,
                               StringRef Error) {
  StringRef Rest = Error;
  Rest.consume_front(("'" + Path + "': ").str());
  StringRef Words = Rest;
  unsigned Line = 0, Column = 0;
  if (Words.consume_front("[") && !Words.consumeInteger(10, Line) &&
      Words.consume_front(":") && !Words.consumeInteger(10, Column))
    return diagnosticAt(Text, Text.offsetOf(Line, Column + 1),
                        lsp::DiagnosticSeverity::Error,
                        Words.split("]: ").second);
  auto [Place, What] = Rest.split(": ");
  if (What.empty())
    return diagnosticAt(Text, 0, lsp::DiagnosticSeverity::Error, Rest);
  return diagnosticAt(Text, offsetOfPlace(Text.text(), Place),
                      lsp::DiagnosticSeverity::Error, What);
}

std::vector<Diagnostic> editor::deviceDiagnostics(const Document &Text,
                                                  StringRef Path) {
  Expected<DeviceModel> Device = parseDeviceModel(Text.text(), Path);
  if (!Device)
    return {diagnosticOf(Text, Path, toString(Device.takeError()))};
  std::vector<Diagnostic> Out;
  for (const LintProblem &P : lintDevice(*Device))
    Out.push_back(diagnosticAt(Text, offsetOfPlace(Text.text(), P.Place),
                               lsp::DiagnosticSeverity::Warning, P.Message));
  return Out;
}
