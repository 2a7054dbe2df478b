//===- Suppressions.cpp - Findings that a source silences -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Suppressions.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Tool = "gpu-occupancy";
static constexpr StringLiteral Comment = "NOLINT";
static constexpr StringLiteral Attribute = "annotate(\"gpu-occupancy:";

/// A pattern takes findings that ask for a change; others need their name.
static bool isForPatterns(RuleId Rule) {
  return ruleRemarkKind(Rule) == RemarkKind::Passed &&
         Rule != RuleId::KernelVerdict;
}

/// The rules that \p Pattern, a name or one with "*", stands for.
static RuleSet rulesOf(StringRef Pattern) {
  RuleSet Rules;
  if (!Pattern.contains('*')) {
    if (Expected<RuleId> Rule = findRule(Pattern))
      Rules.set(size_t(*Rule));
    else
      consumeError(Rule.takeError());
    return Rules;
  }
  Expected<GlobPattern> Glob = GlobPattern::create(Pattern);
  if (!Glob) {
    consumeError(Glob.takeError());
    return Rules;
  }
  for (unsigned I = 0; I != NumRules; ++I)
    if (isForPatterns(RuleId(I)) && Glob->match(ruleName(RuleId(I))))
      Rules.set(I);
  return Rules;
}

namespace gpuocc {

/// Reads one file, line by line.
class SuppressionReader {
public:
  SuppressionReader(StringRef Text, StringRef Name, Suppressions &Out)
      : Text(Text), Name(Name), Out(Out) {}

  void read() {
    StringRef Rest = Text;
    while (!Rest.empty()) {
      ++Line;
      auto [Current, Next] = Rest.split('\n');
      readComments(Current);
      readAttributes(Current);
      Rest = Next;
    }
    for (const Open &Block : Begun)
      note(Block.Line, "NOLINTBEGIN(" + Block.List + ") without NOLINTEND");
  }

private:
  struct Open {
    unsigned Line;
    StringRef List;
    RuleSet Rules;
  };

  void note(unsigned At, const Twine &What) {
    Out.Notes.push_back((Name + ":" + Twine(At) + ": " + What).str());
  }

  void noteUnknown(StringRef Entry, StringRef Rule) {
    note(Line, "'" + Entry + "' names no rule" +
                   (Rule.empty() ? "" : didYouMean(Rule, ruleNames())));
  }

  /// The rules of ours in the list of a comment, "a, gpu-occupancy-TailEffect".
  RuleSet readList(StringRef List) {
    RuleSet Rules;
    SmallVector<StringRef, 4> Entries;
    List.split(Entries, ',');
    for (StringRef Entry : Entries) {
      Entry = Entry.trim();
      StringRef Rule = Entry;
      if (!Rule.consume_front(Tool))
        continue;
      Rule.consume_front("-");
      RuleSet Meant = rulesOf(Rule);
      if (Meant.none())
        noteUnknown(Entry, Rule);
      Rules |= Meant;
    }
    return Rules;
  }

  void readComments(StringRef Current) {
    for (size_t At = Current.find(Comment); At != StringRef::npos;
         At = Current.find(Comment, At + 1)) {
      StringRef Rest = Current.substr(At + Comment.size());
      StringRef Kind = Rest.take_while(isAlpha);
      StringRef List = Rest.drop_front(Kind.size());
      // Without a list it is a comment for others.
      if ((At != 0 && isAlnum(Current[At - 1])) || !List.consume_front("("))
        continue;
      List = List.take_until([](char C) { return C == ')'; });
      takeComment(Kind, List);
    }
  }

  void takeComment(StringRef Kind, StringRef List) {
    if (Kind == "END")
      return endBlock(List);
    RuleSet Rules = readList(List);
    if (Rules.none())
      return;
    if (Kind.empty())
      Out.Comments.push_back({Line, Line, Rules});
    else if (Kind == "NEXTLINE")
      Out.Comments.push_back({Line + 1, Line + 1, Rules});
    else if (Kind == "BEGIN")
      Begun.push_back({Line, List, Rules});
  }

  void endBlock(StringRef List) {
    if (!List.contains(Tool))
      return;
    auto Block =
        find_if(reverse(Begun), [&](const Open &O) { return O.List == List; });
    if (Block == Begun.rend())
      return note(Line, "NOLINTEND(" + List + ") without NOLINTBEGIN");
    Out.Comments.push_back({Block->Line, Line, Block->Rules});
    Begun.erase(std::next(Block).base());
  }

  void readAttributes(StringRef Current) {
    size_t At = Current.find(Attribute);
    if (At == StringRef::npos)
      return;
    StringRef Words =
        Current.substr(At + Attribute.size()).take_until([](char C) {
          return C == '"';
        });
    SmallVector<StringRef, 4> Names;
    SplitString(Words, Names, " ,");
    if (Names.empty() || Names.front() != "suppress")
      return note(Line, "expected 'gpu-occupancy: suppress RULE'");
    RuleSet Rules;
    for (StringRef Rule : drop_begin(Names)) {
      RuleSet Meant = rulesOf(Rule);
      if (Meant.none())
        noteUnknown(Rule, Rule);
      Rules |= Meant;
    }
    // It holds for what is declared up to the next body or semicolon.
    StringRef Behind = Text.substr(Current.data() + At - Text.data());
    StringRef Head = Behind.take_front(Behind.find_first_of("{;"));
    Out.Attributes.push_back({Line, Line + unsigned(Head.count('\n')), Rules});
  }

  StringRef Text, Name;
  Suppressions &Out;
  unsigned Line = 0;
  std::vector<Open> Begun;
};

} // namespace gpuocc

Suppressions Suppressions::parse(StringRef Text, StringRef Name) {
  Suppressions Out;
  SuppressionReader(Text, Name, Out).read();
  return Out;
}

bool Suppressions::covers(ArrayRef<Range> Ranges, unsigned Line, RuleId Rule) {
  return any_of(Ranges, [&](const Range &R) {
    return R.First <= Line && Line <= R.Last && R.Rules.test(size_t(Rule));
  });
}

bool Suppressions::covers(unsigned Line, RuleId Rule) const {
  return covers(Comments, Line, Rule);
}

bool Suppressions::coversKernel(unsigned Line, RuleId Rule) const {
  return covers(Attributes, Line, Rule);
}

void Suppressions::print(raw_ostream &OS) const {
  auto Print = [&](StringRef Kind, ArrayRef<Range> Ranges) {
    for (const auto &[First, Last, Rules] : Ranges)
      OS << Kind << ' ' << First << ' ' << Last << ' ' << Rules.to_string()
         << '\n';
  };
  Print("comment", Comments);
  Print("attribute", Attributes);
}
