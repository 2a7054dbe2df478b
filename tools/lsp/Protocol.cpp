//===- Protocol.cpp - What LLVM's protocol types lack ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protocol.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Diagnostics, lenses and actions name the tool so.
static constexpr StringLiteral SourceName = "gpu-occupancy";

/// The flag at \p Path, names separated by dots, below \p O; false if absent.
static bool flagAt(const json::Object *O, StringRef Path) {
  while (O) {
    auto [Name, Rest] = Path.split('.');
    if (Rest.empty())
      return O->getBoolean(Name).value_or(false);
    O = O->getObject(Name);
    Path = Rest;
  }
  return false;
}

bool editor::fromJSON(const json::Value &J, InitializeParams &Out,
                      json::Path P) {
  const json::Object *O = J.getAsObject();
  if (!O) {
    P.report("expected object");
    return false;
  }
  if (const json::Value *Options = O->get("initializationOptions"))
    Out.Options = *Options;
  const json::Object *Client = O->getObject("capabilities");
  Out.ShowsProgress = flagAt(Client, "window.workDoneProgress");
  Out.RefreshesLenses = flagAt(Client, "workspace.codeLens.refreshSupport");
  Out.RefreshesHints = flagAt(Client, "workspace.inlayHint.refreshSupport");
  Out.WatchesFiles =
      flagAt(Client, "workspace.didChangeWatchedFiles.dynamicRegistration");
  Out.HasConfiguration = flagAt(Client, "workspace.configuration");
  return true;
}

bool editor::fromJSON(const json::Value &J, DocumentRangeParams &Out,
                      json::Path P) {
  json::ObjectMapper O(J, P);
  return O && O.map("textDocument", Out.Document) && O.map("range", Out.Range);
}

bool editor::fromJSON(const json::Value &J, DocumentParams &Out, json::Path P) {
  json::ObjectMapper O(J, P);
  return O && O.map("textDocument", Out.Document);
}

bool editor::fromJSON(const json::Value &J, ExecuteCommandParams &Out,
                      json::Path P) {
  json::ObjectMapper O(J, P);
  if (!O || !O.map("command", Out.Command))
    return false;
  if (const json::Array *Arguments = J.getAsObject()->getArray("arguments"))
    Out.Arguments.assign(Arguments->begin(), Arguments->end());
  return true;
}

bool editor::fromJSON(const json::Value &J, ConfigurationParams &Out,
                      json::Path P) {
  const json::Object *O = J.getAsObject();
  if (!O) {
    P.report("expected object");
    return false;
  }
  if (const json::Value *Settings = O->get("settings"))
    Out.Settings = *Settings;
  return true;
}

json::Value editor::toJSON(const Diagnostic &D) {
  json::Object Out{{"range", D.Range},
                   {"severity", int64_t(D.Severity)},
                   {"source", SourceName},
                   {"message", json::fixUTF8(D.Message)}};
  if (!D.Code.empty())
    Out["code"] = D.Code;
  if (!D.CodePage.empty())
    Out["codeDescription"] = json::Object{{"href", D.CodePage}};
  if (!D.Related.empty())
    Out["relatedInformation"] = json::Array(D.Related);
  return Out;
}

json::Value editor::toJSON(const PublishDiagnosticsParams &P) {
  json::Object Out{{"uri", P.Uri}, {"diagnostics", json::Array(P.Diagnostics)}};
  if (P.Version)
    Out["version"] = *P.Version;
  return Out;
}

json::Value editor::toJSON(const Command &C) {
  return json::Object{{"title", json::fixUTF8(C.Title)},
                      {"command", C.Name},
                      {"arguments", json::Array(C.Arguments)}};
}

json::Value editor::toJSON(const CodeLens &L) {
  return json::Object{{"range", L.Range}, {"command", toJSON(L.What)}};
}

/// The edits of \p A as a WorkspaceEdit.
static json::Value editsOf(const CodeAction &A) {
  if (!A.CreatesFiles) {
    json::Object Changes;
    for (const auto &[Uri, Edits] : A.Edits)
      Changes[Uri] = json::Array(Edits);
    return json::Object{{"changes", std::move(Changes)}};
  }
  json::Array Steps;
  for (const auto &[Uri, Edits] : A.Edits) {
    Steps.push_back(
        json::Object{{"kind", "create"},
                     {"uri", Uri},
                     {"options", json::Object{{"ignoreIfExists", true}}}});
    Steps.push_back(json::Object{
        {"textDocument", json::Object{{"uri", Uri}, {"version", nullptr}}},
        {"edits", json::Array(Edits)}});
  }
  return json::Object{{"documentChanges", std::move(Steps)}};
}

json::Value editor::toJSON(const CodeAction &A) {
  return json::Object{{"title", json::fixUTF8(A.Title)},
                      {"kind", "quickfix"},
                      {"isPreferred", A.IsPreferred},
                      {"diagnostics", json::Array(A.Fixes)},
                      {"edit", editsOf(A)}};
}

json::Value editor::toJSON(const ProgressParams &P) {
  json::Object Value;
  if (P.What == ProgressParams::Step::Begin)
    Value = json::Object{{"kind", "begin"}, {"title", P.Text}};
  else
    Value = json::Object{{"kind", "end"}, {"message", P.Text}};
  return json::Object{{"token", P.Token}, {"value", std::move(Value)}};
}
