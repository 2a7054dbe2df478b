//===- Protocol.h - What LLVM's protocol types lack -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_PROTOCOL_H
#define GPUOCC_TOOLS_LSP_PROTOCOL_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc::editor {

namespace lsp = llvm::lsp;

/// What the client said when it started the server.
struct InitializeParams {
  /// "initializationOptions", null where absent.
  llvm::json::Value Options = nullptr;
  /// Capabilities of the client.
  bool ShowsProgress = false;
  bool RefreshesLenses = false;
  bool RefreshesHints = false;
  bool WatchesFiles = false;
  bool HasConfiguration = false;
};

/// A diagnostic with a code and a page that describes it.
struct Diagnostic {
  lsp::Range Range;
  lsp::DiagnosticSeverity Severity = lsp::DiagnosticSeverity::Information;
  /// Name of the rule; empty: none.
  std::string Code;
  /// URI of the page of the rule; empty: none.
  std::string CodePage;
  std::string Message;
  std::vector<lsp::DiagnosticRelatedInformation> Related;
};

struct PublishDiagnosticsParams {
  lsp::URIForFile Uri;
  /// Absent for files that are not open.
  std::optional<int64_t> Version;
  std::vector<Diagnostic> Diagnostics;
};

/// Something that the server does when asked by `workspace/executeCommand`.
struct Command {
  std::string Title;
  /// Empty: the title is all there is.
  std::string Name;
  llvm::json::Array Arguments;
};

struct CodeLens {
  lsp::Range Range;
  Command What;
};

struct CodeAction {
  std::string Title;
  /// Codes and ranges of the diagnostics that it mends.
  std::vector<Diagnostic> Fixes;
  bool IsPreferred = false;
  /// By URI.
  std::map<std::string, std::vector<lsp::TextEdit>> Edits;
  /// The edited files do not exist yet.
  bool CreatesFiles = false;
};

/// Parameters of requests that name a document and a range of it.
struct DocumentRangeParams {
  lsp::TextDocumentIdentifier Document;
  lsp::Range Range;
};

/// Parameters of requests and notifications that only name a document.
struct DocumentParams {
  lsp::TextDocumentIdentifier Document;
};

struct ExecuteCommandParams {
  std::string Command;
  std::vector<llvm::json::Value> Arguments;
};

struct ConfigurationParams {
  llvm::json::Value Settings = nullptr;
};

/// A step of `$/progress`.
struct ProgressParams {
  enum class Step { Begin, End };
  std::string Token;
  Step What = Step::Begin;
  /// Begin: what is under way. End: how it ended.
  std::string Text;
};

bool fromJSON(const llvm::json::Value &J, InitializeParams &Out,
              llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, DocumentRangeParams &Out,
              llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, DocumentParams &Out,
              llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, ExecuteCommandParams &Out,
              llvm::json::Path P);
bool fromJSON(const llvm::json::Value &J, ConfigurationParams &Out,
              llvm::json::Path P);

llvm::json::Value toJSON(const Diagnostic &D);
llvm::json::Value toJSON(const PublishDiagnosticsParams &P);
llvm::json::Value toJSON(const Command &C);
llvm::json::Value toJSON(const CodeLens &L);
llvm::json::Value toJSON(const CodeAction &A);
llvm::json::Value toJSON(const ProgressParams &P);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_PROTOCOL_H
