//===- PublishedAccesses.cpp - What another tool reported -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublishedAccesses.h"
#include "FindingTable.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

/// Mean lines per request from which there are several: one request in a
/// hundred.
static constexpr double SeveralLines = 1.01;

bool OwnAccess::isWasteful() const {
  return NumInstructions && Sectors > WastedSectors * IdealSectors;
}

bool OwnAccess::takesSeveralLines() const { return Lines >= SeveralLines; }

Expected<std::vector<PublishedAccess>>
gpuocc::loadPublishedAccesses(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  std::vector<PublishedAccess> All;
  for (line_iterator L(**Buffer, /*SkipBlanks=*/true, '#'); !L.is_at_end();
       ++L) {
    SmallVector<StringRef, 4> Words;
    SplitString(*L, Words);
    PublishedAccess A;
    bool IsSound = Words.size() == 4;
    if (IsSound) {
      auto [Line, Column] = Words[2].split(':');
      A.File = Words[0].str();
      A.Function = Words[1].str();
      IsSound = to_integer(Line, A.Line) && to_integer(Column, A.Column) &&
                to_float(Words[3], A.Lines);
    }
    if (!IsSound)
      return createStringError(
          Path + ":" + Twine(L.line_number()) + ": '" + *L +
          "' is not 'FILE FUNCTION LINE:COLUMN LINES-PER-REQUEST'");
    All.push_back(std::move(A));
  }
  return All;
}

static std::string withoutSpaces(StringRef Text) {
  std::string Result;
  for (char C : Text)
    if (C != ' ')
      Result += C;
  return Result;
}

OwnAccess gpuocc::ownAccess(const PublishedAccess &Published,
                            ArrayRef<KernelReport> Reports) {
  OwnAccess Own;
  double Weight = 0;
  // Small functions are inlined into the one that is named.
  auto IsIn = [&](uint32_t Location, const KernelFacts &Facts) {
    return any_of(Facts.Locations[Location].Places, [&](const SourcePlace &P) {
      return withoutSpaces(P.Function) == Published.Function;
    });
  };
  auto Add = [&](bool ByColumn) {
    for (const KernelReport &R : Reports)
      for (size_t I = 0; I != R.Facts.Accesses.size(); ++I) {
        const MemoryAccess &A = R.Facts.Accesses[I];
        if (A.Space != MemorySpace::Global && A.Space != MemorySpace::Generic)
          continue;
        SourcePlace Place = R.Facts.placeOf(R.Facts.Operations[A.Op].Location);
        if (Place.Line != Published.Line ||
            (ByColumn && Place.Column != Published.Column) ||
            !IsIn(R.Facts.Operations[A.Op].Location, R.Facts))
          continue;
        const AccessProfile &P = R.Profile.Accesses[I];
        // What no walked warp executes counts where nothing else does.
        const double W = std::max(P.RequestsPerWarp, 1e-6);
        ++Own.NumInstructions;
        Weight += W;
        Own.Lines += W * P.LinesPerRequest;
        Own.Sectors += W * P.SectorsPerRequest;
        Own.IdealSectors += W * P.IdealSectorsPerRequest;
        Own.Exact = std::max(Own.Exact, P.Exact);
      }
  };
  Add(/*ByColumn=*/true);
  if (!Own.NumInstructions)
    Add(/*ByColumn=*/false);
  if (Weight > 0) {
    Own.Lines /= Weight;
    Own.Sectors /= Weight;
    Own.IdealSectors /= Weight;
  }
  return Own;
}

static StringRef verdictOf(const OwnAccess &Own) {
  if (!Own.NumInstructions)
    return "no such access";
  if (Own.isWasteful())
    return "uncoalesced";
  return Own.takesSeveralLines() ? "several lines, fully used" : "one line";
}

void gpuocc::printPublished(ArrayRef<PublishedRow> Rows, raw_ostream &OS) {
  OS << formatv("{0,-58} {1,6} {2,6} {3,8} {4,8}  {5}\n", "published access",
                "lines", "ours", "sectors", "needed", "");
  struct Sums {
    unsigned All = 0, Several = 0, Wasteful = 0, Missing = 0;
  };
  std::map<std::string, Sums> ByFolder;
  Sums Total;
  for (const PublishedRow &Row : Rows) {
    const PublishedAccess &T = Row.Theirs;
    const OwnAccess &O = Row.Ours;
    OS << formatv(
        "{0,-58} {1,6} {2,6} {3,8} {4,8}  {5}{6}\n",
        formatv("{0}:{1}:{2} {3}", T.File, T.Line, T.Column, T.Function).str(),
        formatNumber(T.Lines), formatNumber(O.Lines), formatNumber(O.Sectors),
        formatNumber(O.IdealSectors), verdictOf(O),
        O.NumInstructions && O.Exact != Exactness::Exact
            ? (", " + exactnessText(O.Exact)).str()
            : "");
    for (Sums *S :
         {&ByFolder[StringRef(T.File).split('/').first.str()], &Total}) {
      ++S->All;
      S->Several += O.takesSeveralLines();
      S->Wasteful += O.isWasteful();
      S->Missing += O.NumInstructions == 0;
    }
  }
  auto Print = [&](StringRef Name, const Sums &S) {
    OS << formatv("{0,-20}{1,10}{2,15}{3,15}{4,15}\n", Name, S.All, S.Several,
                  S.Wasteful, S.Missing);
  };
  OS << formatv("\n{0,-20}{1,10}{2,15}{3,15}{4,15}\n", "", "published",
                "several lines", "uncoalesced", "not there");
  for (const auto &[Folder, S] : ByFolder)
    Print(Folder, S);
  Print("all", Total);
}
