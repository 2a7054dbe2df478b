//===- Server.cpp - The language server -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Server.h"
#include "Completion.h"
#include "DeviceCompletion.h"
#include "DeviceFile.h"
#include "Diagnostics.h"
#include "Hints.h"
#include "Hovers.h"
#include "Lenses.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RulePages.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Names of tasks of the scheduler start with what they are.
static constexpr StringLiteral AnalyzeTask = "analyze ";
static constexpr StringLiteral PrepareTask = "prepare ";

static bool isConfiguration(StringRef File) {
  return sys::path::filename(File) == ConfigFileName;
}

/// True for what clang can compile as CUDA.
static bool isSource(StringRef File) {
  static constexpr StringLiteral Extensions[] = {".cu", ".cuh"};
  return is_contained(Extensions, sys::path::extension(File));
}

bool Server::run(int In, raw_ostream &Out) {
  // Messages are read by a MessageReader.
  Transport = std::make_unique<lsp::JSONTransport>(stdin, Out);
  Handler = std::make_unique<lsp::MessageHandler>(*Transport);
  Peer = std::make_unique<Connection>(*Transport, *Handler);
  Background = std::make_unique<Scheduler>();
  Peer->OnAnswer = [this](StringRef Id, const json::Value &Result) {
    takeAnswer(Id, Result);
  };
  Peer->OnTakenBack = [this](StringRef Id) { takeBack(Id); };
  addHandlers();
  addSenders();
  std::thread Reader(
      [this, In, Events = Events] { readMessages(In, *Events); });
  while (!Left)
    Events->next()();
  // The analysis that runs is stopped; the client may keep its end open.
  Background.reset();
  Reader.detach();
  return Peer->endedInOrder();
}

void Server::readMessages(int In, EventQueue &Events) {
  MessageReader Reader(In);
  while (true) {
    std::string Body;
    const MessageReader::Outcome Outcome = Reader.readBody(Body);
    if (Outcome == MessageReader::Outcome::End)
      return Events.post([this] { Left = true; });
    if (Outcome == MessageReader::Outcome::BadHeader) {
      Events.post([this] { Peer->refuse("a header without a usable length"); });
      continue;
    }
    Events.post([this, Body = std::move(Body)] {
      if (!Peer->handle(Body))
        Left = true;
    });
  }
}

void Server::addHandlers() {
  lsp::MessageHandler &H = *Handler;
  H.method("initialize", this, &Server::initialize);
  H.method("shutdown", this, &Server::shutdown);
  H.method("textDocument/codeLens", this, &Server::codeLens);
  H.method("textDocument/hover", this, &Server::hover);
  H.method("textDocument/inlayHint", this, &Server::inlayHint);
  H.method("textDocument/codeAction", this, &Server::codeAction);
  H.method("textDocument/completion", this, &Server::completion);
  H.method("workspace/executeCommand", this, &Server::executeCommand);
  H.notification("initialized", this, &Server::initialized);
  H.notification("textDocument/didOpen", this, &Server::didOpen);
  H.notification("textDocument/didChange", this, &Server::didChange);
  H.notification("textDocument/didSave", this, &Server::didSave);
  H.notification("textDocument/didClose", this, &Server::didClose);
  H.notification("workspace/didChangeConfiguration", this,
                 &Server::didChangeConfiguration);
  H.notification("workspace/didChangeWatchedFiles", this,
                 &Server::didChangeWatchedFiles);
}

void Server::addSenders() {
  lsp::MessageHandler &H = *Handler;
  Publish = H.outgoingNotification<PublishDiagnosticsParams>(
      "textDocument/publishDiagnostics");
  Show = H.outgoingNotification<lsp::ShowMessageParams>("window/showMessage");
  Progress = H.outgoingNotification<ProgressParams>("$/progress");
}

std::string Server::ask(StringRef Method, json::Value Params) {
  std::string Id = ("gpu-occupancy-" + Twine(++NumCalls)).str();
  Transport->call(Method, std::move(Params), Id);
  return Id;
}

void Server::initialize(const InitializeParams &P, Reply<json::Value> R) {
  Client = P;
  json::Object Capabilities{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync",
       json::Object{{"openClose", true},
                    {"change", int64_t(lsp::TextDocumentSyncKind::Incremental)},
                    {"save", true}}},
      {"hoverProvider", true},
      {"codeLensProvider", json::Object{{"resolveProvider", false}}},
      {"inlayHintProvider", true},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix"}}}},
      {"completionProvider",
       json::Object{
           {"triggerCharacters", json::Array{":", "[", "-", " ", "\""}}}},
      {"executeCommandProvider",
       json::Object{
           {"commands", json::Array{NextLaunchCommand, NextDeviceCommand}}}},
      {"workspace",
       json::Object{{"workspaceFolders", json::Object{{"supported", true}}}}}};
  R(json::Object{{"capabilities", std::move(Capabilities)},
                 {"serverInfo", json::Object{{"name", "gpu-occupancy"},
                                             {"version", GPUOCC_VERSION}}}});
  if (P.Options.getAsObject())
    setSettings(P.Options);
}

void Server::initialized(const lsp::NoParams &) {
  if (!Client.WatchesFiles)
    return;
  json::Array Watchers;
  for (StringRef Glob : {"**/.gpu-occupancy", "**/compile_commands.json",
                         "**/*.{cuh,h,hpp,inl}"})
    Watchers.push_back(json::Object{{"globPattern", Glob}});
  ask("client/registerCapability",
      json::Object{{"registrations",
                    json::Array{json::Object{
                        {"id", "gpu-occupancy-files"},
                        {"method", "workspace/didChangeWatchedFiles"},
                        {"registerOptions",
                         json::Object{{"watchers", std::move(Watchers)}}}}}}});
}

void Server::shutdown(const lsp::NoParams &, Reply<std::nullptr_t> R) {
  while (!Waiting.empty())
    dropRequest(std::string(Waiting.begin()->first), "the server shuts down");
  Background->stop("");
  R(nullptr);
}

void Server::didOpen(const lsp::DidOpenTextDocumentParams &P) {
  std::string File = absolutePath(P.textDocument.uri.file());
  Files.insert_or_assign(File,
                         OpenFile{P.textDocument.uri, P.textDocument.version,
                                  Document(P.textDocument.text)});
  analyze(File, /*DelayMs=*/0);
}

void Server::didChange(const lsp::DidChangeTextDocumentParams &P) {
  std::string File = absolutePath(P.textDocument.uri.file());
  const auto Found = Files.find(File);
  if (Found == Files.end())
    return;
  dropActions(File, "the text was edited");
  Found->second.Version = P.textDocument.version;
  for (const lsp::TextDocumentContentChangeEvent &Change : P.contentChanges)
    Found->second.Text.apply(Change);
  // Where only blanks and comments were edited the result still holds.
  if (const Unit *U = unitOf(File); U && !U->isStale())
    if (const auto Words = U->Good.Words.find(File);
        Words != U->Good.Words.end() &&
        TokenList(Found->second.Text.sharedText()).hash() ==
            Words->second->hash())
      publish(File);
  analyze(File, Set.DelayMs);
}

void Server::didSave(const DocumentParams &P) {
  std::string File = absolutePath(P.Document.uri.file());
  const auto Found = Files.find(File);
  if (isConfiguration(File) ||
      (Found != Files.end() && isDeviceFile(File, Found->second.Text.text())))
    analyzeAll();
  else if (!isAnalyzing(File) || !Background->hurry(AnalyzeTask.str() + File))
    analyze(File, /*DelayMs=*/0);
}

bool Server::isAnalyzing(const std::string &File) const {
  const auto Found = Asked.find(File);
  return Found != Asked.end() && Found->second == requestFor(File).Buffers;
}

void Server::didClose(const lsp::DidCloseTextDocumentParams &P) {
  std::string File = absolutePath(P.textDocument.uri.file());
  Background->stop(AnalyzeTask.str() + File);
  Background->stop(PrepareTask.str() + File);
  dropActions(File, "the file was closed");
  if (Files.erase(File) == 0)
    return;
  Units.erase(File);
  Asked.erase(File);
  Publish({P.textDocument.uri, std::nullopt, {}});
}

void Server::didChangeConfiguration(const ConfigurationParams &P) {
  if (P.Settings.getAsObject()) {
    setSettings(P.Settings);
    analyzeAll();
  } else if (Client.HasConfiguration) {
    // Such a client says that settings changed and waits to be asked for them.
    SettingsRequest = requestText(
        ask("workspace/configuration",
            json::Object{{"items", json::Array{json::Object{
                                       {"section", "gpu-occupancy"}}}}}));
  }
}

void Server::takeAnswer(StringRef Id, const json::Value &Result) {
  const json::Array *Sections = Result.getAsArray();
  if (Id != SettingsRequest || !Sections || Sections->empty() ||
      !Sections->front().getAsObject())
    return;
  setSettings(Sections->front());
  analyzeAll();
}

void Server::didChangeWatchedFiles(const lsp::NoParams &) { analyzeAll(); }

void Server::setSettings(const json::Value &J) {
  Expected<Settings> Read = parseSettings(J);
  if (Read)
    Set = std::move(*Read);
  else
    Show({lsp::MessageType::Error,
          "gpu-occupancy: " + toString(Read.takeError())});
}

AnalysisRequest Server::requestFor(const std::string &File) const {
  AnalysisRequest Request;
  Request.File = File;
  Request.Set = Set;
  for (const auto &[Path, Open] : Files)
    Request.Buffers[Path] = Open.Text.sharedText();
  if (const Unit *U = unitOf(File))
    Request.Device = U->Device;
  return Request;
}

void Server::analyze(const std::string &File, unsigned DelayMs) {
  if (!isSource(File))
    return publish(File);
  const auto Due =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(DelayMs);
  // What prepares for a text that is being edited can wait.
  Background->stop(PrepareTask.str() + File);
  AnalysisRequest Next = requestFor(File);
  Asked[File] = Next.Buffers;
  Background->schedule(
      {AnalyzeTask.str() + File, /*Rank=*/0, Due,
       [this, File, Request = std::move(Next)](const StopFlag &Stop) {
         Events->post([this, File] { report(File, true, ""); });
         AnalysisResult Result = Texts.analyze(Request, Stop);
         Events->post([this, File, Result = std::move(Result)]() mutable {
           take(File, std::move(Result));
         });
       }});
}

void Server::analyzeAll() {
  for (const auto &[File, Open] : Files)
    analyze(File, /*DelayMs=*/0);
}

void Server::take(const std::string &File, AnalysisResult Result) {
  if (Result.Stopped || !Files.count(File))
    return report(File, false, "stopped");
  report(File, false, "in " + formatTime(Result.Seconds * 1e9));
  Unit &U = Units[File];
  U.Problem = Result.What ? "" : Result.Problem;
  U.Error = Result.Error;
  for (const std::string &Note : Result.Notes)
    if (!is_contained(U.Good.Notes, Note))
      Show({lsp::MessageType::Log, Note});
  if (Result.What)
    U.Good = std::move(Result);
  publish(File);
  refresh();
  Background->schedule(
      {PrepareTask.str() + File, /*Rank=*/2, std::chrono::steady_clock::now(),
       [this, Request = requestFor(File)](const StopFlag &Stop) {
         Texts.prepare(Request, Stop);
       }});
}

void Server::publish(const std::string &File) {
  const auto Found = Files.find(File);
  if (Found == Files.end())
    return;
  const OpenFile &Open = Found->second;
  PublishDiagnosticsParams P{Open.Uri, Open.Version, {}};
  if (isConfiguration(File)) {
    P.Diagnostics = configurationDiagnostics(Open.Text, File);
  } else if (isDeviceFile(File, Open.Text.text())) {
    P.Diagnostics = deviceDiagnostics(Open.Text, File);
  } else if (const Unit *U = unitOf(File)) {
    P.Diagnostics = diagnosticsOf(*U, ShownFile(File, Open.Text, U->Good), Set,
                                  [this](RuleId Rule) { return pageOf(Rule); });
  }
  Publish(P);
}

void Server::refresh() {
  if (Client.RefreshesLenses)
    ask("workspace/codeLens/refresh", nullptr);
  if (Client.RefreshesHints)
    ask("workspace/inlayHint/refresh", nullptr);
}

void Server::report(const std::string &File, bool Begins, StringRef Text) {
  if (!Client.ShowsProgress)
    return;
  using Step = ProgressParams::Step;
  if (!Begins)
    return Progress({"gpu-occupancy/" + std::to_string(NumProgress), Step::End,
                     Text.str()});
  std::string Token = "gpu-occupancy/" + std::to_string(++NumProgress);
  ask("window/workDoneProgress/create", json::Object{{"token", Token}});
  Progress({Token, Step::Begin,
            ("gpu-occupancy: " + sys::path::filename(File)).str()});
}

std::string Server::pageOf(RuleId Rule) {
  std::string &Page = Pages[ruleName(Rule)];
  if (!Page.empty())
    return Page;
  SmallString<128> Path(Scratch);
  sys::path::append(Path, ruleName(Rule) + ".md");
  if (Error E = writeOutput(Path, rulePage(Rule))) {
    consumeError(std::move(E));
    return "";
  }
  Expected<lsp::URIForFile> Uri = lsp::URIForFile::fromFile(Path);
  if (!Uri) {
    consumeError(Uri.takeError());
    return "";
  }
  return Page = Uri->uri().str();
}

const Server::OpenFile *
Server::fileOf(const lsp::TextDocumentIdentifier &Id) const {
  const auto Found = Files.find(absolutePath(Id.uri.file()));
  return Found == Files.end() ? nullptr : &Found->second;
}

const Unit *Server::unitOf(StringRef File) const {
  const auto Found = Units.find(File.str());
  return Found == Units.end() ? nullptr : &Found->second;
}

void Server::codeLens(const DocumentParams &P, Reply<json::Value> R) {
  const OpenFile *Open = fileOf(P.Document);
  const std::string File = absolutePath(P.Document.uri.file());
  const Unit *U = unitOf(File);
  if (!Open || !U || !Set.ShowsLenses)
    return R(json::Array());
  R(json::Array(
      lensesOf(*U, ShownFile(File, Open->Text, U->Good), Open->Uri.uri())));
}

void Server::hover(const lsp::TextDocumentPositionParams &P,
                   Reply<json::Value> R) {
  const OpenFile *Open = fileOf(P.textDocument);
  const std::string File = absolutePath(P.textDocument.uri.file());
  const Unit *U = unitOf(File);
  if (!Open || !U)
    return R(nullptr);
  std::optional<lsp::Hover> Hover =
      hoverAt(*U, ShownFile(File, Open->Text, U->Good), P.position);
  R(Hover ? toJSON(*Hover) : json::Value(nullptr));
}

void Server::completion(const lsp::CompletionParams &P,
                        Reply<lsp::CompletionList> R) {
  const OpenFile *Open = fileOf(P.textDocument);
  const std::string Completed = absolutePath(P.textDocument.uri.file());
  if (Open && isDeviceFile(Completed, Open->Text.text()))
    return R(deviceCompletion(Open->Text, P.position));
  if (!Open || !isConfiguration(Completed))
    return R(lsp::CompletionList());
  std::set<std::string> Kernels;
  for (const auto &[File, U] : Units)
    if (U.Good.What)
      for (const KernelReport &K : U.Good.What->Kernels)
        Kernels.insert(baseName(K.Facts.Demangled).str());
  R(configurationCompletion(Open->Text, P.position,
                            std::vector(Kernels.begin(), Kernels.end())));
}

void Server::inlayHint(const DocumentRangeParams &P, Reply<json::Value> R) {
  const OpenFile *Open = fileOf(P.Document);
  const std::string File = absolutePath(P.Document.uri.file());
  const Unit *U = unitOf(File);
  if (!Open || !U || !Set.ShowsHints)
    return R(json::Array());
  R(json::Array(hintsOf(*U, ShownFile(File, Open->Text, U->Good), P.Range)));
}

/// The device behind \p Now in the list that a click goes through.
static std::string nextDevice(const Settings &Set, StringRef Now) {
  std::vector<std::string> Names = Set.Devices;
  if (Names.empty())
    for (const EmbeddedDevice &Device : embeddedDevices())
      Names.push_back(Device.Name.str());
  const auto Found = find(Names, Now.str());
  const size_t Index =
      Found == Names.end() ? 0 : size_t(Found - Names.begin()) + 1;
  return Names[Index % Names.size()];
}

void Server::executeCommand(const ExecuteCommandParams &P,
                            Reply<json::Value> R) {
  auto Argument = [&](size_t Index) {
    return Index < P.Arguments.size()
               ? P.Arguments[Index].getAsString().value_or("")
               : StringRef();
  };
  Expected<lsp::URIForFile> Uri = lsp::URIForFile::fromURI(Argument(0));
  if (!Uri)
    return R(Uri.takeError());
  const auto Found = Units.find(absolutePath(Uri->file()));
  if (Found == Units.end())
    return R(make_error<lsp::LSPError>("there is no result for this file yet",
                                       lsp::ErrorCode::RequestFailed));
  auto &[File, U] = *Found;
  if (P.Command == NextLaunchCommand) {
    ++U.Clicks[Argument(1).str()];
    refresh();
  } else if (P.Command == NextDeviceCommand) {
    std::string Now = U.Device;
    if (Now.empty() && U.Good.What && !U.Good.What->Kernels.empty())
      Now = U.Good.What->Kernels.front().Device;
    U.Device = nextDevice(Set, Now);
    analyze(File, /*DelayMs=*/0);
  } else {
    return R(make_error<lsp::LSPError>("unknown command '" + P.Command + "'",
                                       lsp::ErrorCode::InvalidParams));
  }
  R(nullptr);
}
