//===- CountedTurns.cpp - Turns of loops in a launch that ran -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/CountedTurns.h"
#include "WriteKept.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace gpuocc;
using namespace llvm;

/// The version changes with the form.
static constexpr StringLiteral TurnsMagic = "gpuocc-turns-1";

/// Heuristic: loops of two compilers are one where this share of the lines of
/// both together is in both. Loops around each other share the line of a
/// condition at most; the same loop differs by a line or two (nvcc and clang,
/// CountedTurns.LoopsAreFoundByTheirLines).
static constexpr double LeastShared = 0.3;

static std::string lineText(const SourcePlace &Place) {
  return Place.isValid()
             ? (sys::path::filename(Place.File) + ":" + Twine(Place.Line)).str()
             : "";
}

static double sharedLines(const std::set<std::string> &A,
                          const std::vector<std::string> &B) {
  const size_t InBoth = count_if(
      B, [&](const std::string &Place) { return A.count(Place) != 0; });
  const size_t All = A.size() + B.size() - InBoth;
  return All == 0 ? 0 : double(InBoth) / double(All);
}

std::vector<std::vector<uint32_t>>
CountedTurns::match(const KernelFacts &Facts) const {
  std::vector<std::set<std::string>> Places(Facts.Loops.size());
  for (const Operation &Op : Facts.Operations)
    if (Op.Block < Facts.Blocks.size())
      if (const uint32_t L = Facts.Blocks[Op.Block].Loop; L < Places.size())
        if (std::string Place = lineText(Facts.placeOf(Op.Location));
            !Place.empty())
          Places[L].insert(std::move(Place));
  std::vector<std::vector<uint32_t>> Out(Facts.Loops.size());
  for (auto [Found, Lines] : zip(Out, Places)) {
    double Best = LeastShared;
    for (uint32_t L = 0; L != Loops.size(); ++L) {
      const double Shared = sharedLines(Lines, Loops[L].Places);
      if (Shared < Best)
        continue;
      if (Shared > Best)
        Found.clear();
      Best = Shared;
      Found.push_back(L);
    }
  }
  return Out;
}

std::optional<TurnCount>
CountedTurns::ofWarp(uint64_t Number, unsigned Warp,
                     ArrayRef<uint32_t> InLoops) const {
  const auto At =
      lower_bound(Blocks, Number, [](const CountedBlock &B, uint64_t N) {
        return B.Number < N;
      });
  if (At == Blocks.end() || At->Number != Number)
    return std::nullopt;
  TurnCount Sum;
  for (uint32_t L : InLoops) {
    const size_t Place = Warp * Loops.size() + L;
    if (Place >= At->Turns.size())
      return std::nullopt;
    Sum += At->Turns[Place];
  }
  return Sum;
}

TurnCount CountedTurns::ofGrid(ArrayRef<uint32_t> InLoops) const {
  TurnCount Sum;
  for (uint32_t L : InLoops)
    Sum += Loops[L].All;
  return Sum;
}

static void print(raw_ostream &OS, const TurnCount &T) {
  OS << format(" %.17g %.17g %.17g", T.Entries, T.Turns, T.MeanLaneTurns);
}

Error CountedTurns::write(StringRef Path) const {
  return writeKept(Path, [&](raw_ostream &OS) {
    OS << TurnsMagic << '\n';
    for (const Dim3 &D : {Grid, Block})
      OS << D.X << ' ' << D.Y << ' ' << D.Z << '\n';
    for (const CountedLoop &L : Loops) {
      OS << 'l';
      print(OS, L.All);
      for (const std::string &Place : L.Places)
        OS << '\t' << Place;
      OS << '\n';
    }
    for (const CountedBlock &B : Blocks) {
      OS << (B.IsLongest ? 'm' : 'b') << ' ' << B.Number;
      for (const TurnCount &T : B.Turns)
        print(OS, T);
      OS << '\n';
    }
  });
}

static bool takeCount(ArrayRef<StringRef> Words, TurnCount &Out) {
  return Words.size() >= 3 && to_float(Words[0], Out.Entries) &&
         to_float(Words[1], Out.Turns) &&
         to_float(Words[2], Out.MeanLaneTurns) && std::isfinite(Out.Entries) &&
         std::isfinite(Out.Turns) && std::isfinite(Out.MeanLaneTurns);
}

static bool takeExtent(StringRef Line, Dim3 &Out) {
  SmallVector<StringRef, 3> Words;
  SplitString(Line, Words);
  return Words.size() == 3 && !Words[0].getAsInteger(10, Out.X) &&
         !Words[1].getAsInteger(10, Out.Y) && !Words[2].getAsInteger(10, Out.Z);
}

static bool takeLoop(StringRef Line, CountedLoop &Out) {
  SmallVector<StringRef, 16> Fields;
  Line.split(Fields, '\t');
  SmallVector<StringRef, 4> Words;
  SplitString(Fields.front(), Words);
  for (StringRef Place : ArrayRef(Fields).drop_front())
    Out.Places.push_back(Place.str());
  return Words.size() == 4 && takeCount(ArrayRef(Words).drop_front(), Out.All);
}

static bool takeBlock(StringRef Line, CountedBlock &Out) {
  SmallVector<StringRef, 0> Words;
  SplitString(Line, Words);
  if (Words.size() < 2 || Words[1].getAsInteger(10, Out.Number))
    return false;
  Out.IsLongest = Words[0] == "m";
  for (size_t I = 2; I < Words.size(); I += 3)
    if (!takeCount(ArrayRef(Words).drop_front(I), Out.Turns.emplace_back()))
      return false;
  return true;
}

static bool take(StringRef Text, CountedTurns &Out) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (Lines.size() < 3 || Lines[0] != TurnsMagic ||
      !takeExtent(Lines[1], Out.Grid) || !takeExtent(Lines[2], Out.Block))
    return false;
  for (StringRef Line : ArrayRef(Lines).drop_front(3))
    if (Line.starts_with("l") ? !takeLoop(Line, Out.Loops.emplace_back())
                              : !takeBlock(Line, Out.Blocks.emplace_back()))
      return false;
  return is_sorted(Out.Blocks,
                   [](const CountedBlock &A, const CountedBlock &B) {
                     return A.Number < B.Number;
                   });
}

Expected<CountedTurns> CountedTurns::load(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  CountedTurns Out;
  if (!take((*Buffer)->getBuffer(), Out))
    return createStringError("'" + Path + "' holds no turns of a launch");
  return Out;
}
