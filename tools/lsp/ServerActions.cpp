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
  dropActions(File, "another request for actions came");
  Waiting.insert_or_assign(File,
                           WaitingActions{Peer->currentRequest().str(),
                                          std::move(R), std::move(Launches)});
  Background->schedule(
      {actionsTask(File), /*Rank=*/1, std::chrono::steady_clock::now(),
       [this, File, Proposals = std::move(Proposals),
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
         Events->post([this, File, Proposals = std::move(Proposals),
                       Results = std::move(Results)] {
           answerActions(File, Proposals, Results);
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

void Server::answerActions(const std::string &File,
                           ArrayRef<Proposal> Proposals,
                           ArrayRef<AnalysisResult> Results) {
  const auto Found = Waiting.find(File);
  const auto Open = Files.find(File);
  const Unit *U = unitOf(File);
  if (Found == Waiting.end() || Open == Files.end() || !U)
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
  const auto Found = Waiting.find(File);
  if (Found == Waiting.end())
    return;
  Background->stop(actionsTask(File));
  Found->second.Answer(
      make_error<lsp::LSPError>(Why.str(), lsp::ErrorCode::RequestCancelled));
  Waiting.erase(Found);
}

void Server::takeBack(StringRef Id) {
  for (const auto &[File, Actions] : Waiting)
    if (Actions.Id == Id)
      return dropActions(std::string(File), "taken back");
}
