//===- WriteLaunch.cpp - An assumed launch, written down ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteLaunch.h"
#include "Lenses.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/RuleNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// "n: 1024, m: 16": the arguments that were assumed and have a number.
static std::string assumedArguments(const KernelReport &K) {
  std::string Text;
  for (const Assumption &A : K.Profile.Assumptions) {
    StringRef Name = A.What;
    int64_t Number = 0;
    if (!Name.consume_front("argument ") ||
        !all_of(Name, [](char C) { return isAlnum(C) || C == '_'; }) ||
        StringRef(A.Taken).getAsInteger(10, Number))
      continue;
    Text += (Text.empty() ? "" : ", ") + Name.str() + ": " + A.Taken;
  }
  return Text;
}

/// The entry of the configuration, or nothing where all was said.
static std::string entryFor(const KernelReport &K) {
  const bool BlockIsAssumed = K.Launched.Block.Source.by() == GivenBy::Nobody;
  const std::string Arguments = assumedArguments(K);
  if (!BlockIsAssumed && Arguments.empty())
    return "";
  const Dim3 &B = K.Launched.Block.Value;
  // What is assumed is a comment: as it stands, nobody has given it.
  std::string Text =
      "  - kernel: " + baseName(K.Facts.Demangled).str() +
      "\n    # assumed: correct the numbers and take away the '#'\n    " +
      (BlockIsAssumed ? "# " : "") + "block: [" + utostr(B.X) + ", " +
      utostr(B.Y) + ", " + utostr(B.Z) + "]\n";
  if (K.Launched.Grid) {
    const Dim3 &G = K.Launched.Grid->Value;
    Text += "    grid: [" + utostr(G.X) + ", " + utostr(G.Y) + ", " +
            utostr(G.Z) + "]\n";
  } else {
    Text += "    # grid: [?, 1, 1]\n";
  }
  if (!Arguments.empty())
    Text += "    # arguments: {" + Arguments + "}\n";
  return Text;
}

/// Where an entry goes, and what stands in front of it.
static std::pair<size_t, std::string> placeFor(StringRef Text) {
  constexpr StringLiteral Key = "launches:";
  size_t At = 0;
  while (At < Text.size()) {
    const size_t End = std::min(Text.find('\n', At), Text.size());
    StringRef Line = Text.slice(At, End);
    if (Line.starts_with(Key) && Line.drop_front(Key.size()).trim().empty())
      return End == Text.size() ? std::pair(End, std::string("\n"))
                                : std::pair(End + 1, std::string());
    At = End + 1;
  }
  const bool EndsLine = Text.empty() || Text.ends_with("\n");
  return {Text.size(), (EndsLine ? "" : "\n") + Key.str() + "\n"};
}

std::vector<CodeAction> editor::launchActions(const Unit &Of,
                                              const ShownFile &Shown,
                                              const lsp::Range &Range,
                                              const ConfigurationFile &File) {
  std::vector<CodeAction> Out;
  Expected<lsp::URIForFile> Uri = lsp::URIForFile::fromFile(File.Path);
  if (!Uri) {
    consumeError(Uri.takeError());
    return Out;
  }
  std::vector<LaunchSpec> Written;
  if (Expected<Config> Now = parseConfig(File.Text, File.Path, ruleNames()))
    Written = std::move(Now->Launches);
  else
    consumeError(Now.takeError());
  for (const ShownKernel &Kernel : shownKernels(Of)) {
    const KernelReport &K = *Kernel.What;
    // A second entry would be a second launch.
    if (any_of(Written, [&](const LaunchSpec &Entry) {
          return matchesKernel(Entry, K.Facts);
        }))
      continue;
    const std::optional<lsp::Range> Place = Shown.rangeOf(K.Facts.Place);
    std::string Entry = entryFor(K);
    if (Entry.empty() || !Place || Place->start.line < Range.start.line ||
        Place->start.line > Range.end.line)
      continue;
    auto [At, Before] = placeFor(File.Text);
    const std::string Edited =
        File.Text.substr(0, At) + Before + Entry + File.Text.substr(At);
    if (Expected<Config> Read = parseConfig(Edited, File.Path, ruleNames());
        !Read) {
      consumeError(Read.takeError());
      continue;
    }
    CodeAction Action;
    Action.Title = "write the assumed launch of '" +
                   baseName(K.Facts.Demangled).str() + "' to " +
                   ConfigFileName.str();
    const lsp::Position Where = Document(File.Text).positionOf(At);
    Action.Edits[Uri->uri().str()] = {{lsp::Range(Where), Before + Entry}};
    Action.CreatesFiles = !File.Exists;
    Out.push_back(std::move(Action));
  }
  return Out;
}
