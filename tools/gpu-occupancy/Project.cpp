//===- Project.cpp - Which files of a project to analyze, and how ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Project.h"
#include "MakefileOptions.h"
#include "NearbyHeaders.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/ReadInput.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "gpuocc/Toolchain/ClangArguments.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral HeaderExtensions[] = {".h", ".hpp", ".cuh",
                                                     ".inl", ".hh"};

std::string StandIn::pathFor(StringRef Path) const {
  if (!Path.starts_with(Original + "/"))
    return Path.str();
  std::string There = (Tree + Path.substr(Original.size())).str();
  return sys::fs::exists(There) ? There : Path.str();
}

static bool isGlob(StringRef Input) {
  return Input.find_first_of("*?[{") != StringRef::npos &&
         !sys::fs::exists(Input);
}

bool gpuocc::namesSeveralFiles(StringRef Input) {
  if (sys::fs::is_directory(Input))
    return hasFileBelow(Input, ".cu") || !hasFileBelow(Input, ".ptx");
  return isGlob(Input);
}

Expected<TranslatedArguments>
gpuocc::compilerArguments(ArrayRef<std::string> Arguments,
                          StringRef Directory) {
  if (isForNvcc(Arguments))
    return translateNvccArguments(Arguments, Directory, UnknownArguments::Keep);
  // nvcc gets of them what it knows too. What is a comma to clang ends a value
  // of nvcc's.
  std::vector<std::string> Words;
  for (StringRef Word : Arguments)
    Words.push_back(asOneOfList(Word));
  Expected<TranslatedArguments> ForBoth =
      translateNvccArguments(Words, Directory, UnknownArguments::Drop);
  if (ForBoth)
    ForBoth->Clang = Arguments.vec();
  return ForBoth;
}

Expected<TranslatedArguments>
gpuocc::takeCompilerOptions(ArrayRef<StringRef> Words, SourceOptions &Source) {
  Expected<TranslatedArguments> Compiler = compilerArguments(
      std::vector<std::string>(Words.begin(), Words.end()), ".");
  if (!Compiler)
    return Compiler;
  Source.ClangArguments.assign(Compiler->Clang.begin(), Compiler->Clang.end());
  // A set says nvcc's by themselves.
  if (Source.NvccArguments.empty())
    Source.add(*Compiler);
  if (Source.Architecture.empty() && !Compiler->Architectures.empty())
    Source.Architecture = Compiler->Architectures.back();
  return Compiler;
}

/// True when \p Command compiles CUDA.
static bool compilesCuda(const CompileCommand &Command) {
  if (sys::path::extension(Command.File) == ".cu")
    return true;
  ArrayRef<std::string> Words = Command.Arguments;
  for (size_t I = 0; I + 1 < Words.size(); ++I)
    if (Words[I] == "-x" && (Words[I + 1] == "cu" || Words[I + 1] == "cuda"))
      return true;
  return is_contained(Words, "-x=cu");
}

namespace {
/// One of the inputs of a user, matched with absolute paths.
class Selector {
public:
  static Expected<Selector> create(StringRef Input) {
    Selector S;
    S.Path = absolutePath(Input);
    S.IsFolder = sys::fs::is_directory(S.Path);
    S.IsHeader = is_contained(HeaderExtensions, sys::path::extension(S.Path));
    if (isGlob(Input)) {
      Expected<GlobPattern> Glob = GlobPattern::create(S.Path, 1024);
      if (!Glob)
        return createStringError(
            "'" + Input + "' is no pattern: " + toString(Glob.takeError()));
      S.Glob = std::move(*Glob);
    }
    return S;
  }

  bool matches(StringRef File) const {
    if (Glob)
      return Glob->match(File);
    if (IsFolder)
      return Path == "/" || File.starts_with(Path + "/");
    if (IsHeader)
      return File.starts_with(sys::path::parent_path(Path).str() + "/");
    return File == Path;
  }
  /// One source is enough to compile a header.
  bool wantsOnlyOne() const { return IsHeader; }

private:
  std::string Path;
  bool IsFolder = false, IsHeader = false;
  std::optional<GlobPattern> Glob;
};
} // namespace

static Expected<SourceJob> jobOf(const CompileCommand &Command,
                                 ArrayRef<std::string> QueryDrivers,
                                 std::vector<std::string> &Dropped) {
  SourceJob Job;
  Job.File = Command.File;
  Job.Directory = Command.Directory;
  std::vector<std::string> Options = Command.options();
  if (!Command.isByNvcc()) {
    Job.BuiltBy = "clang";
    Job.Arguments = selectClangArguments(Options, Command.Directory);
  } else {
    Expected<TranslatedArguments> Translated = translateNvccArguments(
        Options, Command.Directory, UnknownArguments::Drop,
        {/*IsRepository=*/true, QueryDrivers.vec()});
    if (!Translated)
      return Translated.takeError();
    Job.Arguments = std::move(*Translated);
  }
  for (const std::string &Option : Job.Arguments.Dropped)
    if (!is_contained(Dropped, Option))
      Dropped.push_back(Option);
  Job.Arguments.Inputs.clear();
  return Job;
}

/// The note on options that were dropped, the first few by name.
static std::string noteOfDropped(ArrayRef<std::string> Options) {
  static constexpr size_t MostNamed = 8;
  std::string Note = "options of the compilation database that could do more "
                     "than decide what code says, or are not known, were "
                     "dropped: " +
                     join(Options.take_front(MostNamed), " ");
  if (Options.size() > MostNamed)
    Note += " and " + formatCount(double(Options.size() - MostNamed), "other");
  return Note + "; what you trust can be given behind --";
}

Expected<Project> gpuocc::projectOfBuild(ArrayRef<CompileCommand> Commands,
                                         ArrayRef<StringRef> Inputs,
                                         ArrayRef<std::string> QueryDrivers) {
  std::vector<Selector> Selectors;
  for (StringRef Input : Inputs) {
    Expected<Selector> S = Selector::create(Input);
    if (!S)
      return S.takeError();
    Selectors.push_back(std::move(*S));
  }
  Project Out;
  std::vector<bool> Used(Selectors.size());
  std::set<std::string> Seen;
  std::vector<std::string> Dropped;
  auto IsSelected = [&](StringRef File) {
    bool Selected = Selectors.empty();
    for (size_t I = 0; I != Selectors.size(); ++I) {
      if ((Used[I] && Selectors[I].wantsOnlyOne()) ||
          !Selectors[I].matches(File))
        continue;
      Used[I] = Selected = true;
    }
    return Selected;
  };
  for (const CompileCommand &Command : Commands) {
    if (!compilesCuda(Command) || !IsSelected(Command.File) ||
        !Seen.insert(Command.File).second)
      continue;
    Expected<SourceJob> Job = jobOf(Command, QueryDrivers, Dropped);
    if (Job)
      Out.Jobs.push_back(std::move(*Job));
    else
      Out.Notes.push_back(Command.File + ": " + toString(Job.takeError()));
  }
  for (size_t I = 0; I != Selectors.size(); ++I)
    if (!Used[I])
      Out.Notes.push_back(
          "no CUDA source of the compilation database matches '" +
          Inputs[I].str() + "'");
  if (!Dropped.empty())
    Out.Notes.push_back(noteOfDropped(Dropped));
  return Out;
}

/// The compilation database nearest to \p File: beside it or above it, or in a
/// folder "build" there; empty where there is none.
static std::string nearestDatabase(StringRef File) {
  const std::string Whole = absolutePath(File);
  StringRef Folder = sys::path::parent_path(Whole);
  while (!Folder.empty()) {
    for (StringRef Below :
         {"compile_commands.json", "build/compile_commands.json"}) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Below);
      if (sys::fs::exists(Path))
        return Path.str().str();
    }
    StringRef Above = sys::path::parent_path(Folder);
    if (Above == Folder)
      break;
    Folder = Above;
  }
  return "";
}

/// True if the file \p Source names \p Header behind an `#include`.
static bool namesHeader(StringRef Source, StringRef Header) {
  static constexpr uint64_t MostBytes = 1 << 26;
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(Source, MostBytes);
  if (!Buffer) {
    consumeError(Buffer.takeError());
    return false;
  }
  StringRef Name = sys::path::filename(Header);
  for (StringRef Line : split((*Buffer)->getBuffer(), '\n'))
    if (Line = Line.ltrim(); Line.consume_front("#"))
      if (Line.ltrim().starts_with("include") && Line.contains(Name))
        return true;
  return false;
}

/// What \p Commands say of \p File (\see jobFromDatabase).
static std::optional<SourceJob>
jobFromCommands(ArrayRef<CompileCommand> Commands, StringRef File,
                ArrayRef<std::string> QueryDrivers,
                std::vector<std::string> &Notes) {
  std::string Wanted = absolutePath(File);
  auto IsOf = [&](const CompileCommand &C) { return C.File == Wanted; };
  if (none_of(Commands, IsOf)) {
    // Other sources that it does not know are no part of its build.
    if (sys::path::extension(File) == ".cu")
      return std::nullopt;
    const auto *Reader = find_if(Commands, [&](const CompileCommand &C) {
      return namesHeader(C.File, File);
    });
    if (Reader == Commands.end())
      return std::nullopt;
    Wanted = Reader->File;
  }
  Expected<Project> Selected =
      projectOfBuild(Commands, {StringRef(Wanted)}, QueryDrivers);
  if (!Selected) {
    consumeError(Selected.takeError());
    return std::nullopt;
  }
  if (Selected->Jobs.empty())
    return std::nullopt;
  append_range(Notes, Selected->Notes);
  return std::move(Selected->Jobs.front());
}

Expected<std::optional<SourceJob>>
gpuocc::jobFromDatabase(StringRef Named, StringRef File,
                        ArrayRef<std::string> QueryDrivers,
                        std::vector<std::string> &Notes) {
  const std::string Database =
      Named.empty() ? nearestDatabase(File) : Named.str();
  if (Database.empty())
    return std::nullopt;
  Expected<std::vector<CompileCommand>> Commands =
      loadCompileCommands(Database);
  if (Commands)
    return jobFromCommands(*Commands, File, QueryDrivers, Notes);
  if (!Named.empty())
    return Commands.takeError();
  consumeError(Commands.takeError());
  return std::nullopt;
}

/// The folder in front of the first part of \p Glob that is a pattern.
static std::string folderOfGlob(StringRef Glob) {
  StringRef Fixed = Glob.substr(0, Glob.find_first_of("*?[{"));
  size_t Slash = Fixed.rfind('/');
  if (Slash == StringRef::npos)
    return ".";
  return Slash == 0 ? "/" : Fixed.substr(0, Slash).str();
}

static Expected<std::vector<std::string>>
filesOfGlob(StringRef Input, std::vector<std::string> &Unread) {
  Expected<Selector> S = Selector::create(Input);
  if (!S)
    return S.takeError();
  Expected<std::vector<std::string>> Files =
      filesBelow(folderOfGlob(Input), ".cu", &Unread);
  if (Files)
    erase_if(*Files, [&](const std::string &File) {
      return !S->matches(absolutePath(File));
    });
  return Files;
}

/// The sources that \p Input stands for. \p Unread receives folders that
/// cannot be read.
static Expected<std::vector<std::string>>
filesOfInput(StringRef Input, std::vector<std::string> &Unread) {
  if (!namesSeveralFiles(Input))
    return std::vector<std::string>{Input.str()};
  return isGlob(Input) ? filesOfGlob(Input, Unread)
                       : filesBelow(Input, ".cu", &Unread);
}

/// Folders around \p File where its headers may lie: its own, those above it up
/// to \p Root, and "include", "inc" and "common" in each.
static std::vector<std::string> guessedIncludes(StringRef File,
                                                StringRef Root) {
  std::vector<std::string> Folders;
  std::string Folder = absolutePath(sys::path::parent_path(File));
  const std::string Top = absolutePath(Root);
  while (true) {
    for (StringRef Below : {"", "include", "inc", "Common", "common"}) {
      SmallString<256> Path(Folder);
      if (!Below.empty())
        sys::path::append(Path, Below);
      if (sys::fs::is_directory(Path))
        Folders.push_back(Path.str().str());
    }
    StringRef Above = sys::path::parent_path(Folder);
    // Sources in src/ have headers in include/ beside it.
    if (Folder == Top)
      for (StringRef Beside : {"include", "inc"}) {
        SmallString<256> Path(Above);
        sys::path::append(Path, Beside);
        if (sys::fs::is_directory(Path))
          Folders.push_back(Path.str().str());
      }
    if (Folder == Top || Above.empty() || Above == Folder)
      return Folders;
    Folder = Above.str();
  }
}

std::string gpuocc::repositoryOf(StringRef Source) {
  const std::string Path = absolutePath(Source);
  for (StringRef Folder = sys::path::parent_path(Path); !Folder.empty();
       Folder = sys::path::parent_path(Folder)) {
    SmallString<256> Inside(Folder);
    sys::path::append(Inside, ".git");
    if (sys::fs::exists(Inside))
      return Folder.str();
  }
  return "";
}

std::string gpuocc::nameFromHere(StringRef File) {
  std::string Path = absolutePath(File);
  StringRef Below = Path;
  if (Below.consume_front(absolutePath(CurrentFolder) + "/"))
    return Below.str();
  return Path;
}

bool gpuocc::decidesMacro(ArrayRef<std::string> Arguments, StringRef Name) {
  return any_of(Arguments, [&](StringRef Word) {
    return (Word.consume_front("-D") || Word.consume_front("-U")) &&
           Word.split('=').first == Name;
  });
}

/// Adds the options that are guessed for \p File to \p Arguments: what its
/// makefile says, then the include folders around it and those of \p Nearby.
/// Guesses come last in the search, where they hide no header of the system:
/// projects have a "features.h" too.
static void addGuessedOptions(StringRef File, StringRef Root,
                              NearbyHeaders &Nearby,
                              TranslatedArguments &Arguments) {
  const MakefileOptions Made =
      nearestMakefile(absolutePath(File), absolutePath(Root));
  for (const std::string &Macro : Made.Macros)
    if (!decidesMacro(Arguments.Clang, StringRef(Macro).split('=').first)) {
      Arguments.Clang.push_back("-D" + Macro);
      Arguments.Nvcc.push_back("-D" + Macro);
    }
  std::vector<std::string> Folders = Made.IncludeFolders;
  for (const std::string &Folder : Folders) {
    Arguments.Clang.push_back("-I" + Folder);
    Arguments.Nvcc.push_back("--include-path=" + asOneOfList(Folder));
  }
  std::vector<std::string> Guesses = guessedIncludes(File, Root);
  append_range(Folders, Guesses);
  append_range(Guesses, Nearby.foldersFor(absolutePath(File), Folders));
  for (const std::string &Folder : Guesses) {
    append_range(Arguments.Clang,
                 std::initializer_list<std::string>{"-idirafter", Folder});
    Arguments.Nvcc.push_back("-Xcompiler=-idirafter" + asOneOfList(Folder));
  }
}

/// Says that options of sources below \p Folder are guessed, and what is
/// better: a database, which \p NamedBy names.
static std::string guessNote(StringRef Folder, StringRef NamedBy) {
  SmallString<256> Lists(Folder);
  sys::path::append(Lists, "CMakeLists.txt");
  return ("include folders are guessed from the folders around each file and, "
          "with macros, from its makefile; name a compilation database with " +
          NamedBy)
             .str() +
         (sys::fs::exists(Lists)
              ? ", which 'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON' writes"
              : "");
}

namespace {
/// Compilation databases near files, each read once.
class NearDatabases {
public:
  explicit NearDatabases(ArrayRef<std::string> QueryDrivers)
      : QueryDrivers(QueryDrivers) {}

  /// How the nearest one builds \p File, if it does.
  std::optional<SourceJob> jobOf(StringRef File) {
    const std::string Path = nearestDatabase(File);
    if (Path.empty())
      return std::nullopt;
    auto [It, IsNew] = ByPath.try_emplace(Path);
    if (IsNew) {
      Expected<std::vector<CompileCommand>> Read = loadCompileCommands(Path);
      if (Read)
        It->second = std::move(*Read);
      else
        consumeError(Read.takeError());
    }
    return jobFromCommands(It->second, File, QueryDrivers, Notes);
  }

  /// Each once.
  std::vector<std::string> notes() const {
    std::vector<std::string> Out = Notes;
    llvm::sort(Out);
    Out.erase(llvm::unique(Out), Out.end());
    return Out;
  }

private:
  ArrayRef<std::string> QueryDrivers;
  std::map<std::string, std::vector<CompileCommand>> ByPath;
  std::vector<std::string> Notes;
};
} // namespace

Expected<Project> gpuocc::projectOfFolders(ArrayRef<StringRef> Inputs,
                                           const TranslatedArguments &Arguments,
                                           ArrayRef<std::string> QueryDrivers) {
  Project Out;
  NearDatabases Databases(QueryDrivers);
  std::set<std::string> Seen;
  std::string GuessedIn;
  for (StringRef Input : Inputs) {
    const size_t NumBefore = Out.Jobs.size();
    const bool Several = namesSeveralFiles(Input);
    std::vector<std::string> Unread;
    Expected<std::vector<std::string>> Files = filesOfInput(Input, Unread);
    if (!Files)
      return Files.takeError();
    if (!Unread.empty())
      Out.Notes.push_back(formatCount(Unread.size(), "folder") +
                          " cannot be read, '" + Unread.front() +
                          "' among them");
    if (Files->empty())
      Out.Notes.push_back("no CUDA source (.cu) or PTX (.ptx) matches '" +
                          Input.str() + "'");
    const std::string Root = isGlob(Input) ? folderOfGlob(Input) : Input.str();
    std::optional<NearbyHeaders> Nearby;
    for (const std::string &File : *Files) {
      if (!Seen.insert(absolutePath(File)).second)
        continue;
      if (std::optional<SourceJob> Known = Databases.jobOf(File)) {
        append_range(Known->Arguments.Clang, Arguments.Clang);
        append_range(Known->Arguments.Nvcc, Arguments.Nvcc);
        Out.Jobs.push_back(std::move(*Known));
        continue;
      }
      SourceJob Job{File, "", Arguments};
      Job.Arguments.Inputs.clear();
      if (Several) {
        if (!Nearby)
          Nearby.emplace(Root);
        addGuessedOptions(File, Root, *Nearby, Job.Arguments);
        Job.GuessedIn = absolutePath(Root);
        GuessedIn = Root;
      }
      Out.Jobs.push_back(std::move(Job));
    }
    if (Nearby)
      for (SourceJob &Job : drop_begin(Out.Jobs, NumBefore))
        Job.IsPart = Nearby->isIncluded(absolutePath(Job.File));
  }
  append_range(Out.Notes, Databases.notes());
  if (!GuessedIn.empty())
    Out.Notes.push_back(guessNote(GuessedIn, "-p"));
  return Out;
}

bool gpuocc::guessFromRepository(SourceJob &Job) {
  const std::string Root = repositoryOf(Job.File);
  // A repository inside of the folder was searched with it.
  if (Root.empty() || !StringRef(Job.GuessedIn).starts_with(Root + "/"))
    return false;
  NearbyHeaders Nearby(Root);
  addGuessedOptions(Job.File, Root, Nearby, Job.Arguments);
  Job.GuessedIn = Root;
  return true;
}

Project gpuocc::projectOfGuesses(StringRef File,
                                 const TranslatedArguments &Arguments,
                                 StringRef NamedBy) {
  std::string Root = repositoryOf(File);
  if (Root.empty())
    Root = sys::path::parent_path(absolutePath(File)).str();
  SourceJob Job{File.str(), "", Arguments};
  Job.Arguments.Inputs.clear();
  NearbyHeaders Nearby(Root);
  addGuessedOptions(File, Root, Nearby, Job.Arguments);
  Job.GuessedIn = std::move(Root);
  Project Out;
  Out.Jobs.push_back(std::move(Job));
  Out.Notes.push_back(guessNote(Out.Jobs.front().GuessedIn, NamedBy));
  return Out;
}
