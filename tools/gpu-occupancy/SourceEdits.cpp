//===- SourceEdits.cpp - Edits of a source that pay -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceEdits.h"
#include "LspJob.h"
#include "LspJobOutput.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Lock/UnifiedDiff.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Toolchain/Process.h"
#include "lsp/Actions.h"
#include "sources/Compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <set>

using namespace gpuocc;
using namespace llvm;

/// Trying one edit takes a compile: more of a file are not tried.
static constexpr size_t MostTrials = 32;
/// A trial that takes longer tells nothing.
static constexpr unsigned LimitSeconds = 120;

namespace {
/// An edit, and what came of it.
struct Trial {
  editor::Proposal What;
  std::optional<editor::Outcome> Came;
};
} // namespace

/// What could be done about the problems of \p R in the text \p Text of
/// \p File, each edit once.
static std::vector<Trial> trialsOf(const Report &R, StringRef File,
                                   const editor::Document &Text) {
  editor::Unit U;
  U.Good.What = R;
  const editor::ShownFile Shown(absolutePath(File), Text, U.Good);
  const lsp::Range All(lsp::Position(0, 0),
                       lsp::Position(std::numeric_limits<int>::max(), 0));
  std::vector<Trial> Trials;
  std::set<std::string> Seen;
  for (editor::Proposal &P : editor::proposalsFor(U, Shown, All, {}))
    if (!P.Suppresses && Seen.insert(P.Edited).second)
      Trials.push_back({std::move(P), std::nullopt});
  if (Trials.size() > MostTrials) {
    errs() << "note: '" << printable(File)
           << "': " << formatCount(double(Trials.size() - MostTrials), "edit")
           << " of least gain not tried\n";
    Trials.erase(Trials.begin() + MostTrials, Trials.end());
  }
  return Trials;
}

/// The report on \p File with the text \p Edited in its place; nothing where
/// that does not compile.
static Expected<std::optional<Report>>
reportOf(StringRef File, StringRef Edited, ArrayRef<std::string> Given,
         ArrayRef<StringRef> CompilerOptions) {
  Expected<TemporaryFile> Text = TemporaryFile::create("gpuocc", "cu");
  if (!Text)
    return Text.takeError();
  Expected<TemporaryFile> Manifest = TemporaryFile::create("gpuocc", "json");
  if (!Manifest)
    return Manifest.takeError();
  json::Object Buffers{{absolutePath(File), Text->path()}};
  if (Error E = Text->write(Edited))
    return std::move(E);
  if (Error E = Manifest->write(
          formatv("{0}", json::Value(std::move(Buffers))).str()))
    return std::move(E);
  std::vector<std::string> Command = {
      "lsp",        LspJobWord.str(),
      File.str(),   "--buffers=" + Manifest->path().str(),
      "--as-built", "--one-of-set"};
  append_range(Command, Given);
  Command.push_back("--");
  append_range(Command, CompilerOptions);
  ProcessOptions Options;
  Options.LimitSeconds = LimitSeconds;
  const std::vector<StringRef> Words(Command.begin(), Command.end());
  Expected<ProcessResult> Run =
      runProcess(besideProgram("bin/gpu-occupancy"), Words, Options);
  if (!Run)
    return Run.takeError();
  if (Run->Status < 0 || Run->Output.empty())
    return std::nullopt;
  Expected<KeyedReport> Read = readJobOutput(Run->Output, File, {});
  if (!Read)
    return Read.takeError();
  return std::move(Read->What);
}

static SourceEdit editOf(const Trial &T, StringRef File,
                         const editor::Document &Text) {
  SourceEdit Edit{File.str(),   T.What.What.Title,
                  {},           unifiedDiff(Text.text(), T.What.Edited, File),
                  T.Came->Gain, T.Came->Words};
  auto PlaceOf = [&](size_t Offset) {
    StringRef Before = Text.text().take_front(Offset);
    const size_t Start = Before.rfind('\n') + 1;
    return std::pair(unsigned(Before.count('\n')) + 1,
                     unsigned(Offset - Start) + 1);
  };
  std::vector<editor::Replacement> Ordered = T.What.What.Edits;
  llvm::sort(Ordered,
             [](const auto &A, const auto &B) { return A.Offset < B.Offset; });
  for (const editor::Replacement &Of : Ordered) {
    const auto [Line, Column] = PlaceOf(Of.Offset);
    const auto [EndLine, EndColumn] = PlaceOf(Of.Offset + Of.Length);
    Edit.Changes.push_back({Line, Column, EndLine, EndColumn, Of.Text});
  }
  return Edit;
}

/// The finding that \p P mends: that of its problem, or the verdict on its
/// kernel.
static Finding *findingOf(const editor::Proposal &P, Report &R) {
  const Finding *Fixed = nullptr;
  for (const Problem &Of : collectProblems(R))
    if (Of.What->Rule == P.Rule && Of.Place == P.Place &&
        baseName(Of.Kernel->Facts.Demangled) == P.Kernel)
      Fixed = Of.What;
  for (KernelReport &K : R.Kernels)
    for (Finding &F : K.Findings)
      if (Fixed ? &F == Fixed
                : F.Rule == P.Rule && baseName(K.Facts.Demangled) == P.Kernel)
        return &F;
  return nullptr;
}

Error gpuocc::addEdits(Report &R, StringRef File, ArrayRef<std::string> Given,
                       ArrayRef<StringRef> CompilerOptions) {
  if (sys::path::extension(File) != ".cu")
    return Error::success();
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer)
    return createStringError("cannot read '" + File +
                             "': " + Buffer.getError().message());
  const editor::Document Text((*Buffer)->getBuffer().str());
  std::vector<Trial> Trials = trialsOf(R, File, Text);
  std::vector<std::string> Problems(Trials.size());
  DefaultThreadPool Pool(hardware_concurrency());
  for (size_t I = 0; I != Trials.size(); ++I)
    Pool.async([&, I] {
      Expected<std::optional<Report>> After =
          reportOf(File, Trials[I].What.Edited, Given, CompilerOptions);
      if (!After)
        Problems[I] = toString(After.takeError());
      else if (*After)
        Trials[I].Came = editor::outcomeOf(R, **After, Trials[I].What);
    });
  Pool.wait();
  for (const std::string &Problem : Problems)
    if (!Problem.empty())
      return createStringError(Problem);
  for (const Trial &T : Trials)
    if (Finding *F = T.Came ? findingOf(T.What, R) : nullptr)
      if (!F->Edit || F->Edit->Gain < T.Came->Gain)
        F->Edit = editOf(T, File, Text);
  return Error::success();
}
