//===- Project.cpp - Which files of a project to analyze, and how ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Project.h"
#include "gpuocc/Toolchain/ClangArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral HeaderExtensions[] = {".h", ".hpp", ".cuh",
                                                     ".inl", ".hh"};

static bool isGlob(StringRef Input) {
  return Input.find_first_of("*?[{") != StringRef::npos &&
         !sys::fs::exists(Input);
}

/// True when a file with \p Extension lies in or below \p Folder.
static bool holds(StringRef Folder, StringRef Extension) {
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(Folder, EC,
                                               /*follow_symlinks=*/false),
       End;
       I != End && !EC; I.increment(EC))
    if (sys::path::extension(I->path()) == Extension)
      return true;
  return false;
}

bool gpuocc::namesSeveralFiles(StringRef Input) {
  if (sys::fs::is_directory(Input))
    return holds(Input, ".cu") || !holds(Input, ".ptx");
  return isGlob(Input);
}

std::string gpuocc::absolutePath(StringRef Path) {
  SmallString<256> Full(Path);
  sys::fs::make_absolute(Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

Expected<TranslatedArguments>
gpuocc::compilerArguments(ArrayRef<std::string> Arguments,
                          StringRef Directory) {
  if (isForNvcc(Arguments))
    return translateNvccArguments(Arguments, Directory, UnknownArguments::Keep);
  TranslatedArguments AsTheyAre;
  AsTheyAre.Clang = Arguments.vec();
  return AsTheyAre;
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
                                 std::set<std::string> &Unknown) {
  SourceJob Job;
  Job.File = Command.File;
  Job.Directory = Command.Directory;
  std::vector<std::string> Options = Command.options();
  if (!Command.isByNvcc()) {
    Job.BuiltBy = "clang";
    Job.Arguments = selectClangArguments(Options);
  } else {
    Expected<TranslatedArguments> Translated = translateNvccArguments(
        Options, Command.Directory, UnknownArguments::Drop);
    if (!Translated)
      return Translated.takeError();
    Job.Arguments = std::move(*Translated);
    Unknown.insert(Job.Arguments.Unknown.begin(), Job.Arguments.Unknown.end());
  }
  Job.Arguments.Inputs.clear();
  return Job;
}

Expected<Project> gpuocc::projectOfBuild(ArrayRef<CompileCommand> Commands,
                                         ArrayRef<StringRef> Inputs) {
  std::vector<Selector> Selectors;
  for (StringRef Input : Inputs) {
    Expected<Selector> S = Selector::create(Input);
    if (!S)
      return S.takeError();
    Selectors.push_back(std::move(*S));
  }
  Project Out;
  std::vector<bool> Used(Selectors.size());
  std::set<std::string> Seen, Unknown;
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
    Expected<SourceJob> Job = jobOf(Command, Unknown);
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
  if (!Unknown.empty())
    Out.Notes.push_back("options that nvcc does not document were dropped: " +
                        join(Unknown, " "));
  return Out;
}

/// Adds the files with extension .cu below \p Folder, in the order of names.
static Error addFilesBelow(StringRef Folder, std::vector<std::string> &Files) {
  std::error_code EC;
  std::set<std::string> Found;
  for (sys::fs::recursive_directory_iterator I(Folder, EC,
                                               /*follow_symlinks=*/false),
       End;
       I != End && !EC; I.increment(EC))
    if (sys::path::extension(I->path()) == ".cu" &&
        sys::fs::is_regular_file(I->path()))
      Found.insert(I->path());
  if (EC)
    return createStringError("cannot read folder '" + Folder +
                             "': " + EC.message());
  Files.insert(Files.end(), Found.begin(), Found.end());
  return Error::success();
}

/// The folder in front of the first part of \p Glob that is a pattern.
static std::string folderOfGlob(StringRef Glob) {
  StringRef Fixed = Glob.substr(0, Glob.find_first_of("*?[{"));
  size_t Slash = Fixed.rfind('/');
  if (Slash == StringRef::npos)
    return ".";
  return Slash == 0 ? "/" : Fixed.substr(0, Slash).str();
}

static Error addFilesOfGlob(StringRef Input, std::vector<std::string> &Files) {
  Expected<Selector> S = Selector::create(Input);
  if (!S)
    return S.takeError();
  std::vector<std::string> Candidates;
  if (Error E = addFilesBelow(folderOfGlob(Input), Candidates))
    return E;
  for (std::string &File : Candidates)
    if (S->matches(absolutePath(File)))
      Files.push_back(std::move(File));
  return Error::success();
}

/// Folders around \p File where its headers may lie: its own, those above it up
/// to \p Root, and "include", "inc" and "common" in each.
static std::vector<std::string> guessedIncludes(StringRef File,
                                                StringRef Root) {
  std::vector<std::string> Options;
  std::string Folder = absolutePath(sys::path::parent_path(File));
  const std::string Top = absolutePath(Root);
  while (true) {
    for (StringRef Below : {"", "include", "inc", "Common", "common"}) {
      SmallString<256> Path(Folder);
      if (!Below.empty())
        sys::path::append(Path, Below);
      if (sys::fs::is_directory(Path))
        Options.push_back(("-I" + Path).str());
    }
    StringRef Above = sys::path::parent_path(Folder);
    if (Folder == Top || Above.empty() || Above == Folder)
      return Options;
    Folder = Above.str();
  }
}

Expected<Project>
gpuocc::projectOfFolders(ArrayRef<StringRef> Inputs,
                         const TranslatedArguments &Arguments) {
  Project Out;
  std::set<std::string> Seen;
  bool Guessed = false;
  for (StringRef Input : Inputs) {
    std::vector<std::string> Files;
    bool Several = namesSeveralFiles(Input);
    if (!Several)
      Files.push_back(Input.str());
    else if (Error E = isGlob(Input) ? addFilesOfGlob(Input, Files)
                                     : addFilesBelow(Input, Files))
      return std::move(E);
    if (Files.empty())
      Out.Notes.push_back("no CUDA source (.cu) or PTX (.ptx) matches '" +
                          Input.str() + "'");
    for (const std::string &File : Files) {
      if (!Seen.insert(absolutePath(File)).second)
        continue;
      SourceJob Job{File, "", Arguments};
      Job.Arguments.Inputs.clear();
      if (Several) {
        std::string Root = isGlob(Input) ? folderOfGlob(Input) : Input.str();
        append_range(Job.Arguments.Clang, guessedIncludes(File, Root));
        Guessed = true;
      }
      Out.Jobs.push_back(std::move(Job));
    }
  }
  if (Guessed)
    Out.Notes.push_back("include folders are guessed from the folders around "
                        "each file; name a compilation database with -p");
  return Out;
}
