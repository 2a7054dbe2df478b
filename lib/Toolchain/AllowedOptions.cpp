//===- AllowedOptions.cpp - Options that a repository may decide ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/AllowedOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// The kinds of rows of AllowedOptions.def.
enum class OptionKind : uint8_t {
  Flag,
  Switch,
  Joined,
  Text,
  Path,
  Nested,
  Step,
  StepValue,
  StepPrefix,
};

struct AllowedOption {
  OptionKind Kind;
  StringLiteral Name;
};

constexpr AllowedOption Rows[] = {
#define FLAG(Name) {OptionKind::Flag, Name},
#define SWITCH(Name) {OptionKind::Switch, Name},
#define JOINED(Prefix) {OptionKind::Joined, Prefix},
#define TEXT(Prefix) {OptionKind::Text, Prefix},
#define PATH(Prefix) {OptionKind::Path, Prefix},
#define NESTED(Name) {OptionKind::Nested, Name},
#define STEP(Name) {OptionKind::Step, Name},
#define STEP_VALUE(Prefix) {OptionKind::StepValue, Prefix},
#define STEP_PREFIX(Prefix) {OptionKind::StepPrefix, Prefix},
#include "AllowedOptions.def"
};

/// How deep response files may name each other.
constexpr unsigned MaxFileDepth = 16;

class Sorter {
public:
  explicit Sorter(StringRef Directory) : Directory(Directory) {}

  void sort(ArrayRef<std::string> Arguments, unsigned Depth);
  SortedOptions take() { return std::move(Out); }

private:
  void takeOption(StringRef Word, ArrayRef<std::string> &Rest);
  void takeNested(StringRef Word, ArrayRef<std::string> &Rest);
  void takePath(StringRef Name, StringRef Value);

  StringRef Directory;
  SortedOptions Out;
};

} // namespace

static bool isOfValue(char C) {
  return isAlnum(C) || StringRef(".,+-_=:/").contains(C);
}

/// "-Wp,-MD,FILE": what follows is for the preprocessor, assembler or linker.
static bool isForOtherProgram(StringRef Word) {
  const StringRef Tool = Word.split(',').first;
  return Tool == "-Wp" || Tool == "-Wa" || Tool == "-Wl";
}

static bool fits(const AllowedOption &Row, StringRef Word) {
  switch (Row.Kind) {
  case OptionKind::Flag:
  case OptionKind::Step:
  case OptionKind::Nested:
    return Word == Row.Name;
  case OptionKind::Switch:
    return Word.consume_front("-f") &&
           (Word == Row.Name ||
            (Word.consume_front("no-") && Word == Row.Name));
  case OptionKind::Joined:
    return Word.starts_with(Row.Name) && all_of(Word, isOfValue) &&
           !isForOtherProgram(Word);
  case OptionKind::Text:
  case OptionKind::Path:
  case OptionKind::StepValue:
  case OptionKind::StepPrefix:
    return Word.starts_with(Row.Name);
  }
  llvm_unreachable("covered switch");
}

/// The row that decides \p Word; null: none does.
static const AllowedOption *findRow(StringRef Word) {
  const auto *Row =
      find_if(Rows, [&](const AllowedOption &Row) { return fits(Row, Word); });
  return Row == std::end(Rows) ? nullptr : Row;
}

void Sorter::takePath(StringRef Name, StringRef Value) {
  SmallString<256> Path(Value);
  sys::path::make_absolute(Directory, Path);
  if (Name == "-include" || Name == "-imacros")
    Path = pathOfIncluded(Value, Directory);
  if (Name.starts_with("--"))
    Out.Taken.push_back((Name + Path).str());
  else if (Name == "-I")
    Out.Taken.push_back(("-I" + Path).str());
  else
    Out.Taken.insert(Out.Taken.end(), {Name.str(), Path.str().str()});
}

/// -Xclang with an option that is taken without that too. An option with a
/// path, which -Xclang stands in front of too, is taken without.
void Sorter::takeNested(StringRef Word, ArrayRef<std::string> &Rest) {
  if (Rest.empty())
    return Out.Dropped.push_back(Word.str());
  const std::string Next = Rest.consume_front();
  const AllowedOption *Row = findRow(Next);
  if (Row && Row->Kind == OptionKind::Path && Next == Row->Name &&
      Rest.size() >= 2 && Rest.front() == Word) {
    takePath(Row->Name, Rest[1]);
    Rest = Rest.drop_front(2);
    return;
  }
  const bool IsTaken =
      Row &&
      is_contained({OptionKind::Flag, OptionKind::Switch, OptionKind::Joined},
                   Row->Kind);
  std::vector<std::string> &Where = IsTaken ? Out.Taken : Out.Dropped;
  if (IsTaken)
    Where.insert(Where.end(), {Word.str(), Next});
  else
    Where.push_back((Word + " " + Next).str());
}

void Sorter::takeOption(StringRef Word, ArrayRef<std::string> &Rest) {
  const AllowedOption *Row = findRow(Word);
  if (!Row)
    return Out.Dropped.push_back(Word.str());
  const StringRef Value = Word.drop_front(
      Row->Kind == OptionKind::Switch ? Word.size() : Row->Name.size());
  const bool IsJoined = !Value.empty() || Row->Name.ends_with("=");
  auto Next = [&]() -> std::string {
    if (IsJoined || Rest.empty())
      return Value.str();
    return Rest.consume_front();
  };
  switch (Row->Kind) {
  case OptionKind::Flag:
  case OptionKind::Switch:
  case OptionKind::Joined:
    return Out.Taken.push_back(Word.str());
  case OptionKind::Text:
    return Out.Taken.push_back(Row->Name.str() + Next());
  case OptionKind::Path:
    return takePath(Row->Name, Next());
  case OptionKind::Nested:
    return takeNested(Word, Rest);
  case OptionKind::StepValue:
    (void)Next();
    return;
  case OptionKind::Step:
  case OptionKind::StepPrefix:
    return;
  }
}

void Sorter::sort(ArrayRef<std::string> Arguments, unsigned Depth) {
  while (!Arguments.empty()) {
    const std::string Word = Arguments.consume_front();
    if (StringRef Name = Word; Name.consume_front("@") && !Name.empty()) {
      Expected<std::vector<std::string>> Words =
          Depth == MaxFileDepth ? createStringError("too deep")
                                : readResponseFile(Name, Directory);
      if (Words)
        sort(*Words, Depth + 1);
      else
        Out.Dropped.push_back(Word + " (" + toString(Words.takeError()) + ")");
    } else if (StringRef(Word).starts_with("-") && Word != "-") {
      takeOption(Word, Arguments);
    } else {
      Out.Inputs.push_back(Word);
    }
  }
}

std::string gpuocc::pathOfIncluded(StringRef Name, StringRef Directory) {
  SmallString<256> Path(Name);
  sys::path::make_absolute(Directory, Path);
  const bool IsName = isPlain(Name) && !Name.starts_with("-");
  return sys::fs::exists(Path) || !IsName ? Path.str().str() : Name.str();
}

SortedOptions gpuocc::sortOptions(ArrayRef<std::string> Arguments,
                                  StringRef Directory) {
  Sorter S(Directory);
  S.sort(Arguments, 0);
  return S.take();
}

bool gpuocc::isPlain(StringRef Text) {
  return all_of(Text, [](char C) {
    return isAlnum(C) || StringRef("/._+-").contains(C);
  });
}

Expected<std::vector<std::string>>
gpuocc::readResponseFile(StringRef Name, StringRef Directory) {
  SmallString<256> Path(Name);
  sys::path::make_absolute(Directory, Path);
  sys::fs::file_status Status;
  std::error_code EC = sys::fs::status(Path, Status);
  if (!EC && !sys::fs::is_regular_file(Status))
    return createStringError("response file '" + Path + "' is not a file");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read response file '" + Path +
                             "': " + Buffer.getError().message());
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 32> Words;
  cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
  return std::vector<std::string>(Words.begin(), Words.end());
}

std::vector<std::string> gpuocc::splitList(StringRef List) {
  std::vector<std::string> Parts;
  std::string Part;
  auto End = [&] {
    if (!Part.empty())
      Parts.push_back(std::move(Part));
    Part.clear();
  };
  for (size_t I = 0; I != List.size(); ++I) {
    if (List[I] == ',')
      End();
    else if (List.substr(I).starts_with("\\,"))
      Part += List[++I];
    else
      Part += List[I];
  }
  End();
  return Parts;
}

std::string gpuocc::asOneOfList(StringRef Part) {
  SmallVector<StringRef, 2> Parts;
  Part.split(Parts, ',');
  return join(Parts, "\\,");
}
