//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_SERVER_H
#define GPUOCC_TOOLS_LSP_SERVER_H

#include "Actions.h"
#include "Analysis.h"
#include "Connection.h"
#include "EventQueue.h"
#include "Protocol.h"
#include "Unit.h"
#include "WriteLaunch.h"
#include "llvm/ADT/StringMap.h"

namespace gpuocc::editor {

/// Answers one client. Everything but the analyses runs in the thread of
/// run(); analyses run one after the other in a thread of their own.
class Server {
public:
  /// Pages of rules are written below \p Scratch, a folder that exists.
  Server(Analyzer &Texts, llvm::StringRef Scratch)
      : Texts(Texts), Scratch(Scratch) {}

  /// Serves the client behind the descriptor \p In and \p Out until it leaves.
  /// Returns true when it had asked to shut down before.
  bool run(int In, llvm::raw_ostream &Out);

private:
  template <typename T> using Reply = llvm::lsp::Callback<T>;

  struct OpenFile {
    lsp::URIForFile Uri;
    int64_t Version = 0;
    Document Text;
  };

  /// A request for code actions whose edits are being tried.
  struct WaitingActions {
    std::string File;
    Reply<llvm::json::Value> Answer;
    /// Actions that need no trial.
    std::vector<CodeAction> Ready;
  };

  // Requests and notifications, by their names in the protocol.
  void initialize(const InitializeParams &P, Reply<llvm::json::Value> R);
  void initialized(const lsp::NoParams &P);
  void shutdown(const lsp::NoParams &P, Reply<std::nullptr_t> R);
  void didOpen(const lsp::DidOpenTextDocumentParams &P);
  void didChange(const lsp::DidChangeTextDocumentParams &P);
  void didSave(const DocumentParams &P);
  void didClose(const lsp::DidCloseTextDocumentParams &P);
  void didChangeConfiguration(const ConfigurationParams &P);
  void didChangeWatchedFiles(const lsp::NoParams &P);
  void codeLens(const DocumentParams &P, Reply<llvm::json::Value> R);
  void hover(const lsp::TextDocumentPositionParams &P,
             Reply<llvm::json::Value> R);
  void inlayHint(const DocumentRangeParams &P, Reply<llvm::json::Value> R);
  void completion(const lsp::CompletionParams &P, Reply<lsp::CompletionList> R);
  void codeAction(const DocumentRangeParams &P, Reply<llvm::json::Value> R);
  void executeCommand(const ExecuteCommandParams &P,
                      Reply<llvm::json::Value> R);

  void addHandlers();
  void addSenders();
  /// Posts the messages that come from \p In.
  void readMessages(int In, EventQueue &Events);
  void setSettings(const llvm::json::Value &J);
  /// Analyzes \p File once the user pauses for \p DelayMs.
  void analyze(const std::string &File, unsigned DelayMs);
  void analyzeAll();
  /// True where the analysis of \p File that was asked for last reads the texts
  /// that the editor has now.
  bool isAnalyzing(const std::string &File) const;
  AnalysisRequest requestFor(const std::string &File) const;
  void take(const std::string &File, AnalysisResult Result);
  void publish(const std::string &File);
  void refresh();
  void report(const std::string &File, bool Begins, llvm::StringRef Text);
  /// The configuration that holds for \p File, or one beside it to be made.
  ConfigurationFile configurationOf(const std::string &File) const;
  /// The edits that \p Proposals stand for were tried: \p Results.
  void answerActions(const std::string &Id, llvm::ArrayRef<Proposal> Proposals,
                     llvm::ArrayRef<AnalysisResult> Results);
  /// Answers the requests for actions in \p File that wait with an error.
  void dropActions(const std::string &File, llvm::StringRef Why);
  /// The same for the request \p Id, if it waits.
  void dropRequest(const std::string &Id, llvm::StringRef Why);
  /// The client does not want the answer to the request \p Id.
  void takeBack(llvm::StringRef Id);
  static std::string actionsTask(const std::string &Id) {
    return "actions " + Id + " ";
  }
  /// The URI of the page of \p Rule, which is written on first use.
  std::string pageOf(RuleId Rule);
  /// The open file and the unit that analyzed it last; null where there is
  /// none.
  const OpenFile *fileOf(const lsp::TextDocumentIdentifier &Id) const;
  const Unit *unitOf(llvm::StringRef File) const;

  Analyzer &Texts;
  std::string Scratch;
  Settings Set;
  InitializeParams Client;
  /// By absolute path.
  std::map<std::string, OpenFile> Files;
  std::map<std::string, Unit> Units;
  /// By file: the texts of the analysis that was asked for last.
  std::map<std::string,
           std::map<std::string, std::shared_ptr<const std::string>>>
      Asked;
  /// By the id of the request: editors ask for a menu while they still wait
  /// for the sign that there is one.
  std::map<std::string, WaitingActions> Waiting;
  llvm::StringMap<std::string> Pages;
  unsigned NumProgress = 0;

  /// Shared with the thread that reads messages, which may outlive this.
  std::shared_ptr<EventQueue> Events = std::make_shared<EventQueue>();
  std::unique_ptr<llvm::lsp::JSONTransport> Transport;
  std::unique_ptr<llvm::lsp::MessageHandler> Handler;
  std::unique_ptr<Connection> Peer;
  bool Left = false;
  llvm::lsp::OutgoingNotification<PublishDiagnosticsParams> Publish;
  llvm::lsp::OutgoingNotification<lsp::ShowMessageParams> Show;
  llvm::lsp::OutgoingNotification<ProgressParams> Progress;
  unsigned NumCalls = 0;
  /// Sends a request; returns its id.
  std::string ask(llvm::StringRef Method, llvm::json::Value Params);
  /// The request for settings whose answer is to come.
  std::string SettingsRequest;
  void takeAnswer(llvm::StringRef Id, const llvm::json::Value &Result);

  /// The last member: what it runs posts to the others.
  std::unique_ptr<Scheduler> Background;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_SERVER_H
