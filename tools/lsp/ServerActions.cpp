//===- ServerActions.cpp - Code actions of the language server ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "Diagnostics.h"
#include "Server.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Trying one edit takes a compile: more at a place are not tried.
static constexpr size_t MostTrials = 8;

void Server::codeAction(const DocumentRangeParams &P, Reply<json::Value> R) {
  const OpenFile *Open = fileOf(P.Document);
  const std::string File = absolutePath(P.Document.uri.file());
  const Unit *U = unitOf(File);
  if (!Open || !U)
    return R(json::Array());
  const ShownFile Shown(File, Open->Text, U->Good);
  std::vector<Proposal> Proposals =
      proposalsFor(*U, Shown, P.Range,
                   diagnosticsOf(*U, Shown, Set,
                                 [this](RuleId Rule) { return pageOf(Rule); }));
  if (Proposals.size() > MostTrials)
    Proposals.resize(MostTrials);
  std::vector<CodeAction> Launches =
      launchActions(*U, Shown, P.Range, configurationOf(File));
  if (Proposals.empty())
    return R(json::Array(Launches));
  const std::string Id = Peer->currentRequest().str();
  Waiting.insert_or_assign(
      Id, WaitingActions{File, std::move(R), std::move(Launches)});
  Background->schedule(
      {actionsTask(Id), /*Rank=*/1, std::chrono::steady_clock::now(),
       [this, File, Id, Proposals = std::move(Proposals),
        Request = requestFor(File)](const StopFlag &Stop) mutable {
         std::vector<AnalysisResult> Results;
         Request.IsTrial = true;
         for (const Proposal &P : Proposals) {
           Request.Buffers[File] =
               std::make_shared<const std::string>(P.Edited);
           Results.push_back(Texts.analyze(Request, Stop));
           if (Stop)
             return;
         }
         Events->post([this, Id, Proposals = std::move(Proposals),
                       Results = std::move(Results)] {
           answerActions(Id, Proposals, Results);
         });
       }});
}

ConfigurationFile Server::configurationOf(const std::string &File) const {
  ConfigurationFile Out;
  Out.Path = findConfig(File);
  Out.Exists = !Out.Path.empty();
  if (!Out.Exists) {
    SmallString<256> Path(sys::path::parent_path(File));
    sys::path::append(Path, ConfigFileName);
    Out.Path = Path.str().str();
    return Out;
  }
  Out.Path = absolutePath(Out.Path);
  if (const auto Open = Files.find(Out.Path); Open != Files.end())
    Out.Text = Open->second.Text.text().str();
  else if (auto Buffer = MemoryBuffer::getFile(Out.Path))
    Out.Text = (*Buffer)->getBuffer().str();
  return Out;
}

void Server::answerActions(const std::string &Id, ArrayRef<Proposal> Proposals,
                           ArrayRef<AnalysisResult> Results) {
  const auto Found = Waiting.find(Id);
  if (Found == Waiting.end())
    return;
  const auto Open = Files.find(Found->second.File);
  const Unit *U = unitOf(Found->second.File);
  if (Open == Files.end() || !U)
    return;
  // JSON of a URI points into what it was made of: the actions live on.
  std::vector<CodeAction> Actions = std::move(Found->second.Ready);
  for (const auto &[P, Result] : zip_equal(Proposals, Results))
    if (std::optional<CodeAction> Action =
            actionFor(P, *U, Result, Open->second.Text, Open->second.Uri.uri()))
      Actions.push_back(std::move(*Action));
  Found->second.Answer(json::Value(json::Array(Actions)));
  Waiting.erase(Found);
}

void Server::dropActions(const std::string &File, StringRef Why) {
  std::vector<std::string> Ids;
  for (const auto &[Id, Actions] : Waiting)
    if (Actions.File == File)
      Ids.push_back(Id);
  for (const std::string &Id : Ids)
    dropRequest(Id, Why);
}

void Server::dropRequest(const std::string &Id, StringRef Why) {
  const auto Found = Waiting.find(Id);
  if (Found == Waiting.end())
    return;
  Background->stop(actionsTask(Id));
  Found->second.Answer(
      make_error<lsp::LSPError>(Why.str(), lsp::ErrorCode::RequestCancelled));
  Waiting.erase(Found);
}

void Server::takeBack(StringRef Id) { dropRequest(Id.str(), "taken back"); }
