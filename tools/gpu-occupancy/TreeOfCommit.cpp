//===- TreeOfCommit.cpp - The jobs of a project at another commit ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TreeOfCommit.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

/// Options of clang whose value, joined or in the next word, is a path.
static constexpr StringLiteral FolderOptions[] = {"-isystem", "-iquote",
                                                  "-idirafter", "-I"};
static constexpr StringLiteral FileOptions[] = {"-include", "-imacros"};

/// Those of nvcc, as TranslatedArguments::Nvcc spells them.
static constexpr StringLiteral NvccPathOptions[] = {
    "--include-path=", "--system-include=", "--pre-include=",
    "-Xcompiler=-idirafter"};

/// Hands the path in each option of \p Arguments that has one to \p Visit,
/// which may change it.
static void forEachPath(std::vector<std::string> &Arguments,
                        ArrayRef<StringLiteral> Names,
                        function_ref<void(std::string &Path)> Visit) {
  for (size_t I = 0; I != Arguments.size(); ++I) {
    for (StringRef Name : Names) {
      StringRef Path = Arguments[I];
      if (!Path.consume_front(Name))
        continue;
      if (Path.empty()) {
        if (I + 1 != Arguments.size())
          Visit(Arguments[++I]);
      } else {
        std::string Value = Path.str();
        Visit(Value);
        Arguments[I] = Name.str() + Value;
      }
      break;
    }
  }
}

std::vector<std::string> gpuocc::includeFolders(const SourceJob &Job) {
  std::vector<std::string> Arguments = Job.Arguments.Clang, Folders;
  forEachPath(Arguments, FolderOptions, [&](std::string &Path) {
    Folders.push_back(absolutePath(Path, Job.Directory));
  });
  return Folders;
}

Expected<TreeOfCommit> TreeOfCommit::create(const GitRepository &Repository,
                                            StringRef Commit) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::create("gpuocc-base");
  if (!Folder)
    return Folder.takeError();
  if (Error E = Repository.checkOut(Commit, Folder->path()))
    return std::move(E);
  return TreeOfCommit(std::move(*Folder), Repository.root());
}

std::string TreeOfCommit::pathFor(StringRef Path) const {
  if (Path == Root)
    return Folder.path().str();
  if (!Path.starts_with(Root + "/"))
    return Path.str();
  return (Folder.path() + Path.substr(Root.size())).str();
}

std::string TreeOfCommit::existingPathFor(StringRef Path) const {
  std::string There = pathFor(Path);
  return sys::fs::exists(There) ? There : Path.str();
}

void TreeOfCommit::lendConfig(StringRef Source) const {
  const std::string Config = findConfig(Source);
  if (Config.empty())
    return;
  // One above the repository holds for all of it.
  std::string There = pathFor(absolutePath(Config));
  if (There == absolutePath(Config))
    There = (Folder.path() + "/" + ConfigFileName).str();
  // Where that fails the source is analyzed without, as if there were none.
  // A folder of the commit may be a link that leads out of it.
  if (!sys::fs::exists(There) &&
      isWithin(sys::path::parent_path(There), Folder.path()))
    (void)sys::fs::create_link(absolutePath(Config), There);
}

std::optional<SourceJob> TreeOfCommit::jobOf(const SourceJob &Job) const {
  SourceJob There = Job;
  const std::string File = absolutePath(Job.File);
  There.File = pathFor(File);
  if (There.File == File || !sys::fs::exists(There.File))
    return std::nullopt;
  auto Move = [&](std::string &Path) {
    Path = existingPathFor(absolutePath(Path, Job.Directory));
  };
  forEachPath(There.Arguments.Clang, FolderOptions, Move);
  forEachPath(There.Arguments.Clang, FileOptions, Move);
  forEachPath(There.Arguments.Nvcc, NvccPathOptions, [&](std::string &Path) {
    // Other files are looked for in the include folders.
    if (sys::path::is_absolute(Path))
      Move(Path);
  });
  if (!Job.Directory.empty())
    There.Directory = existingPathFor(absolutePath(Job.Directory));
  lendConfig(File);
  There.Stands = StandIn{Folder.path().str(), Root};
  return There;
}

std::string TreeOfCommit::originalPath(StringRef Path) const {
  if (Path.consume_front((Folder.path() + "/").str()))
    return Root + "/" + Path.str();
  return Path.str();
}
