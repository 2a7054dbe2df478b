//===- ExecutedCounts.cpp - What warps of a launch executed ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ExecutedCounts.h"
#include "WriteKept.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// The version changes with the form.
static constexpr StringLiteral ExecutedMagic = "gpuocc-executed-2";

/// Where \p B goes, as its branch names it.
static SmallVector<uint32_t, 2> targetsOf(const KernelFacts &Facts,
                                          const BasicBlock &B) {
  if (B.Branch == NoIndex)
    return B.Successors;
  return Facts.Branches[B.Branch].Targets;
}

std::optional<std::vector<uint32_t>>
ExecutedCounts::match(const KernelFacts &Facts) const {
  std::vector<uint32_t> Of(Facts.Blocks.size(), NoIndex);
  std::vector<uint32_t> FactsOf(Blocks.size(), NoIndex);
  if (Of.empty() || FactsOf.empty())
    return std::nullopt;
  std::vector<uint32_t> Open = {0};
  Of[0] = FactsOf[0] = 0;
  while (!Open.empty()) {
    const uint32_t At = Open.back();
    Open.pop_back();
    const auto Said = targetsOf(Facts, Facts.Blocks[At]);
    const auto &Ran = Blocks[Of[At]].Successors;
    if (Said.size() != Ran.size())
      return std::nullopt;
    for (size_t I = 0; I != Said.size(); ++I) {
      if (Of[Said[I]] == NoIndex && FactsOf[Ran[I]] == NoIndex) {
        Of[Said[I]] = Ran[I];
        FactsOf[Ran[I]] = Said[I];
        Open.push_back(Said[I]);
      } else if (Of[Said[I]] != Ran[I]) {
        return std::nullopt;
      }
    }
  }
  return Of;
}

Error ExecutedCounts::write(StringRef Path) const {
  return writeKept(Path, [&](raw_ostream &OS) {
    OS << ExecutedMagic << '\n'
       << NumWarps << ' ' << IsWholeGrid << ' ' << format("%.6f", SampledError)
       << '\n';
    for (const ExecutedBlock &B : Blocks) {
      OS << "b " << B.Executions << ' ' << B.Partings << ' ' << B.Lanes;
      for (uint32_t S : B.Successors)
        OS << ' ' << S;
      OS << '\n';
      for (const ExecutedAccess &A : B.Accesses)
        OS << "a " << A.BytesPerLane << ' ' << unsigned(A.Kind) << ' '
           << A.Requests << ' ' << A.Sectors << '\n';
    }
  });
}

/// The numbers of \p Line behind its first word; nothing where one is none.
static std::optional<SmallVector<uint64_t, 8>> numbersOf(StringRef Line) {
  SmallVector<StringRef, 8> Words;
  SplitString(Line, Words);
  SmallVector<uint64_t, 8> Out;
  for (StringRef Word : drop_begin(Words))
    if (Word.getAsInteger(10, Out.emplace_back()))
      return std::nullopt;
  return Out;
}

static bool take(StringRef Text, ExecutedCounts &Out) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (Lines.size() < 2 || Lines[0] != ExecutedMagic)
    return false;
  SmallVector<StringRef, 3> First;
  SplitString(Lines[1], First);
  if (First.size() != 3 || First[0].getAsInteger(10, Out.NumWarps) ||
      !to_float(First[2], Out.SampledError))
    return false;
  Out.IsWholeGrid = First[1] == "1";
  for (StringRef Line : ArrayRef(Lines).drop_front(2)) {
    const auto Numbers = numbersOf(Line);
    const bool IsBlock = Line.starts_with("b ");
    if (!Numbers || Numbers->size() < (IsBlock ? 3u : 4u) ||
        (!IsBlock && Out.Blocks.empty()))
      return false;
    if (!IsBlock) {
      Out.Blocks.back().Accesses.push_back({unsigned((*Numbers)[0]),
                                            ExecutedKind((*Numbers)[1]),
                                            (*Numbers)[2], (*Numbers)[3]});
      continue;
    }
    ExecutedBlock &B = Out.Blocks.emplace_back();
    B.Executions = (*Numbers)[0];
    B.Partings = (*Numbers)[1];
    B.Lanes = (*Numbers)[2];
    for (uint64_t S : drop_begin(*Numbers, 3))
      B.Successors.push_back(uint32_t(S));
  }
  return all_of(Out.Blocks, [&](const ExecutedBlock &B) {
    return all_of(B.Successors,
                  [&](uint32_t S) { return S < Out.Blocks.size(); });
  });
}

MeetingPlaces::MeetingPlaces(ArrayRef<SmallVector<uint32_t, 2>> Graph)
    : HeaderOf(Graph.size(), Nowhere) {
  KernelFacts Facts;
  for (const auto &Behind : Graph)
    Facts.Blocks.emplace_back().Successors = Behind;
  findLoops(Facts);
  for (const BasicBlock &B : Facts.Blocks) {
    Joins.push_back(B.PostDominator);
    LoopOf.push_back(B.Loop);
  }
  for (const auto &[Number, L] : enumerate(Facts.Loops)) {
    HeaderOf[L.Header] = uint32_t(Number);
    Parent.push_back(L.Parent);
    InLoop.emplace_back(Graph.size());
    for (uint32_t B : L.Blocks)
      InLoop.back()[B] = true;
  }
}

std::string gpuocc::executedFileBeside(StringRef TurnsFile) {
  return (TurnsFile + ".executed").str();
}

std::string gpuocc::followedFileBeside(StringRef TurnsFile) {
  return (TurnsFile + ".followed").str();
}

Expected<ExecutedCounts> ExecutedCounts::load(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  ExecutedCounts Out;
  if (!take((*Buffer)->getBuffer(), Out))
    return createStringError("'" + Path + "' holds no counts of a launch");
  return Out;
}
