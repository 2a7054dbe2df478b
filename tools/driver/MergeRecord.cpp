//===- MergeRecord.cpp - Recorded launches in a configuration -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/MergeRecord.h"
#include "gpuocc/Config/Config.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// The first and the last line of the block, behind their indentation.
static constexpr StringLiteral FirstLine = "# >>> recorded launches",
                               LastLine = "# <<< recorded launches";

/// How far writeLaunch() indents an entry.
static constexpr size_t EntryIndent = 2;

/// \p Entries, indented by \p Indent, between the two lines.
static std::string blockOf(StringRef Entries, StringRef Writer, size_t Indent) {
  const std::string Spaces(Indent, ' ');
  std::string Block = Spaces + FirstLine.str() + ", by " + Writer.str() +
                      ": the next record replaces them\n";
  SmallVector<StringRef, 0> Lines;
  Entries.split(Lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    Block += Spaces + Line.drop_front(EntryIndent).str() + "\n";
  return Block + Spaces + LastLine.str() + "\n";
}

std::string gpuocc::recordedConfig(StringRef Entries, StringRef Writer) {
  return "launches:\n" + blockOf(Entries, Writer, EntryIndent);
}

namespace {

/// A line of a file, with its end.
struct Line {
  size_t Begin = 0, End = 0;
  StringRef Text;

  size_t indent() const {
    return std::min(Text.find_first_not_of(' '), Text.size());
  }
  /// Neither blank nor a comment.
  bool hasContent() const {
    StringRef Word = Text.trim();
    return !Word.empty() && !Word.starts_with("#");
  }
  bool isItem() const { return Text.ltrim(' ').starts_with("-"); }
};

/// What is taken out of a file, and what is put there.
struct Cut {
  size_t Begin = 0, End = 0;
  std::string New;
};

} // namespace

static std::vector<Line> linesOf(StringRef Text) {
  std::vector<Line> Lines;
  for (size_t Begin = 0; Begin < Text.size();) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size() - 1) + 1;
    Lines.push_back({Begin, End, Text.slice(Begin, End)});
    Begin = End;
  }
  return Lines;
}

/// The block of an earlier record; nothing where there is none.
static std::optional<Cut> findBlock(ArrayRef<Line> Lines, StringRef Entries,
                                    StringRef Writer) {
  auto Starts = [](StringRef Mark) {
    return [Mark](const Line &L) { return L.Text.ltrim().starts_with(Mark); };
  };
  const Line *First = find_if(Lines, Starts(FirstLine));
  const Line *Last = std::find_if(First, Lines.end(), Starts(LastLine));
  if (Last == Lines.end())
    return std::nullopt;
  return Cut{First->Begin, Last->End,
             blockOf(Entries, Writer, First->indent())};
}

/// Behind the last item of the top-level list `launches:`, or at the end of the
/// file with a list of its own.
static Cut behindLaunches(ArrayRef<Line> Lines, StringRef Text,
                          StringRef Entries, StringRef Writer) {
  const StringRef NewLine = Text.empty() || Text.ends_with("\n") ? "" : "\n";
  const Line *Key = find_if(
      Lines, [](const Line &L) { return L.Text.starts_with("launches:"); });
  if (Key == Lines.end())
    return {Text.size(), Text.size(),
            NewLine.str() + recordedConfig(Entries, Writer)};
  const Line *Last = Key;
  size_t Indent = EntryIndent;
  for (const Line *L = Key + 1; L != Lines.end(); ++L) {
    if (!L->hasContent())
      continue;
    if (L->indent() == 0 && !L->isItem())
      break;
    if (Last == Key)
      Indent = L->indent();
    Last = L;
  }
  return {Last->End, Last->End,
          (Last->Text.ends_with("\n") ? "" : "\n") +
              blockOf(Entries, Writer, Indent)};
}

/// \p C without the places where it was said, and its launches apart.
static std::pair<Config, std::vector<LaunchSpec>> withoutPlaces(Config C) {
  std::vector<LaunchSpec> Launches = std::move(C.Launches);
  C.Launches.clear();
  for (LaunchSpec &Spec : Launches)
    Spec.Source = {};
  if (C.DefaultBlock)
    C.DefaultBlock->Source = {};
  return {std::move(C), std::move(Launches)};
}

/// Entries in \p Text, which writeLaunch() wrote.
static size_t numEntries(StringRef Text) { return Text.count("- kernel: "); }

/// True when \p After is \p Before but for one range, which has \p NumBefore
/// elements there and \p NumAfter here.
static bool differInOneRange(ArrayRef<LaunchSpec> Before, size_t NumBefore,
                             ArrayRef<LaunchSpec> After, size_t NumAfter) {
  if (Before.size() < NumBefore ||
      Before.size() - NumBefore + NumAfter != After.size())
    return false;
  const size_t NumOthers = Before.size() - NumBefore;
  for (size_t I = 0; I <= NumOthers; ++I)
    if (Before.take_front(I) == After.take_front(I) &&
        Before.take_back(NumOthers - I) == After.take_back(NumOthers - I))
      return true;
  return false;
}

Expected<std::string> gpuocc::mergeRecorded(StringRef Existing,
                                            StringRef FileName,
                                            StringRef Entries, StringRef Writer,
                                            ArrayRef<StringRef> RuleNames) {
  auto Read = [&](StringRef Text) {
    return parseConfig(Text, FileName, RuleNames);
  };
  const std::vector<Line> Lines = linesOf(Existing);
  std::optional<Cut> Place = findBlock(Lines, Entries, Writer);
  const StringRef Replaced =
      Place ? Existing.slice(Place->Begin, Place->End) : StringRef();
  if (!Place)
    Place = behindLaunches(Lines, Existing, Entries, Writer);
  std::string Merged = (Existing.take_front(Place->Begin) + Place->New +
                        Existing.drop_front(Place->End))
                           .str();

  // What the user wrote has to mean the same as before.
  Expected<Config> Before = Read(Existing);
  if (!Before)
    return Before.takeError();
  Expected<Config> After = Read(Merged);
  auto Refuse = [&] {
    return createStringError("recorded launches cannot be put among the "
                             "launches of '" +
                             FileName +
                             "', which are not lines that begin "
                             "with '-'");
  };
  if (!After) {
    consumeError(After.takeError());
    return Refuse();
  }
  auto [OtherBefore, LaunchesBefore] = withoutPlaces(std::move(*Before));
  auto [OtherAfter, LaunchesAfter] = withoutPlaces(std::move(*After));
  if (!(OtherBefore == OtherAfter) ||
      !differInOneRange(LaunchesBefore, numEntries(Replaced), LaunchesAfter,
                        numEntries(Entries)))
    return Refuse();
  return Merged;
}
