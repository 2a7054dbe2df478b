//===- MakefileOptions.cpp - What makefiles say of options ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakefileOptions.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {
class Parser {
public:
  Parser(StringRef Folder, StringRef Root) : Folder(Folder), Root(Root) {}

  /// False where \p Path is no makefile that can be read.
  bool takeFile(StringRef Path) {
    static constexpr uint64_t MostBytes = 1 << 20;
    if (!sys::fs::is_regular_file(Path))
      return false;
    Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(Path, MostBytes);
    if (!Buffer) {
      consumeError(Buffer.takeError());
      return false;
    }
    takeText((*Buffer)->getBuffer());
    return true;
  }

  MakefileOptions finish() const {
    MakefileOptions Options{Folders, {}};
    for (const auto &[Name, Values] : Macros)
      if (Values.size() == 1)
        Options.Macros.push_back(Name + *Values.begin());
    return Options;
  }

private:
  void takeText(StringRef Text) {
    std::string Line;
    for (StringRef Part : split(Text, '\n')) {
      Part.consume_back("\r");
      const bool GoesOn = Part.consume_back("\\");
      Line += Part;
      if (GoesOn) {
        Line += ' ';
        continue;
      }
      takeLine(Line);
      Line.clear();
    }
    takeLine(Line);
  }

  void takeLine(StringRef Line) {
    const bool IsRecipe = Line.starts_with("\t");
    Line = Line.split('#').first;
    StringRef First = Line.ltrim().take_until(isSpace);
    if (!IsRecipe &&
        (First.starts_with("ifeq") || First.starts_with("ifneq") ||
         First.starts_with("ifdef") || First.starts_with("ifndef")))
      ++Depth;
    else if (!IsRecipe && First == "endif")
      Depth -= Depth != 0;
    else if (!IsRecipe && (First == "include" || First == "-include" ||
                           First == "sinclude")) {
      if (Depth == 0)
        takeIncluded(Line.ltrim().drop_front(First.size()));
    } else
      takeWords(Line, /*TakesMacros=*/!IsRecipe && Depth == 0);
  }

  /// make looks for \p Names in the folder that it runs in.
  void takeIncluded(StringRef Names) {
    static constexpr size_t MostIncluded = 16;
    SmallVector<StringRef, 4> Words;
    SplitString(Names, Words);
    for (StringRef Name : Words) {
      const std::string Path = absolutePath(Name, Folder);
      if (!StringRef(Path).starts_with((Root + "/").str()) ||
          Included.size() == MostIncluded || !Included.insert(Path).second)
        continue;
      takeFile(Path);
    }
  }

  void takeWords(StringRef Line, bool TakesMacros) {
    SmallVector<StringRef, 32> Words;
    SplitString(Line, Words);
    for (size_t I = 0; I != Words.size(); ++I) {
      StringRef Word = Words[I];
      const bool IsFolder = Word.consume_front("-I");
      if (!IsFolder && !Word.consume_front("-D"))
        continue;
      if (Word.empty() && I + 1 != Words.size())
        Word = Words[++I];
      // What only make or a shell knows.
      if (Word.empty() || Word.find_first_of("$`'\"\\(),;") != StringRef::npos)
        continue;
      if (IsFolder)
        takeFolder(Word);
      else if (TakesMacros)
        Macros[Word.split('=').first.str()].insert(
            Word.drop_front(Word.split('=').first.size()).str());
    }
  }

  void takeFolder(StringRef Name) {
    std::string Path = absolutePath(Name, Folder);
    if (sys::fs::is_directory(Path) && !is_contained(Folders, Path))
      Folders.push_back(std::move(Path));
  }

  StringRef Folder, Root;
  std::set<std::string> Included;
  unsigned Depth = 0;
  std::vector<std::string> Folders;
  /// By name: "" or "=VALUE".
  std::map<std::string, std::set<std::string>> Macros;
};
} // namespace

MakefileOptions gpuocc::nearestMakefile(StringRef File, StringRef Root) {
  StringRef Folder = sys::path::parent_path(File);
  while (!Folder.empty()) {
    for (StringRef Name : {"GNUmakefile", "makefile", "Makefile"}) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Name);
      Parser P(Folder, Root);
      if (P.takeFile(Path))
        return P.finish();
    }
    if (Folder == Root)
      break;
    Folder = sys::path::parent_path(Folder);
  }
  return {};
}
