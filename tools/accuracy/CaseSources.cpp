//===- CaseSources.cpp - Facts of measured kernels ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseSources.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isSameKernel(StringRef Mangled, StringRef Name) {
  // "_ZL" is "_Z" of a static function.
  auto Plain = [](StringRef N) {
    bool IsStatic = N.consume_front("_ZL");
    if (!IsStatic)
      N.consume_front("_Z");
    return N;
  };
  return Plain(Mangled) == Plain(Name);
}

static std::string joined(StringRef Folder, StringRef Path) {
  SmallString<256> Result(Folder);
  sys::path::append(Result, Path);
  return Result.str().str();
}

std::vector<std::string> gpuocc::portableFlags(StringRef Flags,
                                               StringRef Folder) {
  SmallVector<StringRef, 16> Words;
  SplitString(Flags, Words);
  std::vector<std::string> Result;
  for (StringRef Word : Words) {
    StringRef Path = Word;
    if (Path.consume_front("-I"))
      Result.push_back("-I" + (sys::path::is_absolute(Path)
                                   ? Path.str()
                                   : joined(Folder, Path)));
    else if (Word.starts_with("-D") || Word.starts_with("-std="))
      Result.push_back(Word.str());
  }
  return Result;
}

std::string CaseSources::folderOf(const TruthCase &C) const {
  std::string Suite = joined(Root, C.Suite);
  if (sys::fs::is_directory(Suite))
    return Suite;
  return joined(Root, sys::path::filename(C.Repository));
}

std::vector<std::string> CaseSources::flags(const TruthCase &C) const {
  std::vector<std::string> Flags = portableFlags(C.Flags, folderOf(C));
  Flags.push_back("-w");
  return Flags;
}

std::vector<std::string> CaseSources::nvccFlags(const TruthCase &C) const {
  static constexpr StringLiteral Accepts[] = {
      "expt-relaxed-constexpr", "extended-lambda", "expt-extended-lambda"};
  std::vector<std::string> Flags = flags(C);
  SmallVector<StringRef, 16> Words;
  SplitString(C.Flags, Words);
  for (StringRef Word : Words)
    if (Word.starts_with("-") && is_contained(Accepts, Word.ltrim('-')))
      Flags.push_back(Word.str());
  return Flags;
}

std::vector<std::string> CaseSources::paths(const TruthCase &C) const {
  std::vector<std::string> Paths;
  for (const std::string &File : C.Files)
    Paths.push_back(joined(folderOf(C), File));
  return Paths;
}

/// The innermost folder that holds all \p Paths; there is one at least.
static std::string folderOfAll(ArrayRef<std::string> Paths) {
  StringRef Folder = sys::path::parent_path(Paths.front());
  auto Holds = [&](StringRef Path) {
    return Path.starts_with(Folder) && Path.size() > Folder.size() &&
           sys::path::is_separator(Path[Folder.size()]);
  };
  while (!Folder.empty() && !all_of(Paths, Holds))
    Folder = sys::path::parent_path(Folder);
  return Folder.str();
}

std::vector<std::string> CaseSources::nearby(const TruthCase &C) const {
  static constexpr StringLiteral Extensions[] = {".cu", ".cpp", ".cc", ".cxx",
                                                 ".c"};
  // Where a folder holds whole suites.
  constexpr size_t MostSources = 256;
  const std::vector<std::string> Own = paths(C), Flags = flags(C);
  std::vector<std::string> Found;
  auto Take = [&](StringRef Path) {
    if (is_contained(Extensions, sys::path::extension(Path)) &&
        !is_contained(Own, Path) && !is_contained(Found, Path))
      Found.push_back(Path.str());
  };
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(folderOfAll(Own), EC), End;
       I != End && !EC && Found.size() < MostSources; I.increment(EC))
    Take(I->path());
  for (StringRef Flag : Flags)
    if (Flag.consume_front("-I"))
      for (sys::fs::directory_iterator I(Flag, EC), End; I != End && !EC;
           I.increment(EC))
        Take(I->path());
  llvm::sort(Found);
  return Found;
}

Expected<FactsFile> CaseSources::compile(const TruthCase &C, StringRef File) {
  // The options refer to them.
  const std::vector<std::string> Flags = flags(C);
  SourceOptions ForCase = Options;
  ForCase.BuiltBy = C.Compiler;
  if (C.Compiler == "clang")
    ForCase.Code = "clang";
  append_range(ForCase.ClangArguments, Flags);
  Expected<TranslatedArguments> ForNvcc =
      translateNvccArguments(nvccFlags(C), folderOf(C), UnknownArguments::Drop);
  if (!ForNvcc)
    return ForNvcc.takeError();
  ForCase.add(*ForNvcc);
  return readSource(joined(folderOf(C), File), ForCase);
}

const CaseSources::Entry &CaseSources::read(const TruthCase &C,
                                            StringRef File) {
  std::string Key = C.Suite + "/" + File.str();
  if (C.Compiler == "clang")
    Key += "@clang";
  else if (Options.Code == "nvcc")
    Key += "@nvcc";
  auto [Found, IsNew] = Files.try_emplace(Key);
  Entry &E = Found->second;
  if (!IsNew)
    return E;
  Expected<FactsFile> Facts = Kept.find(Key, [&] { return compile(C, File); });
  if (Facts)
    E.Facts = std::move(*Facts);
  else
    E.Problem = toString(Facts.takeError());
  return E;
}

Expected<const KernelFacts *> CaseSources::find(const TruthCase &C) {
  std::string Problem;
  for (const std::string &File : C.Files) {
    if (sys::path::extension(File) != ".cu")
      continue;
    const Entry &E = read(C, File);
    for (const KernelFacts &Facts : E.Facts.Kernels)
      if (Facts.View != MachineView::Sass &&
          isSameKernel(C.MangledName, Facts.Name))
        return &Facts;
    if (Problem.empty())
      Problem = E.Problem;
  }
  if (!Problem.empty())
    return createStringError(Problem);
  return createStringError("no source of '" + C.Id + "' has a kernel '" +
                           C.MangledName + "'");
}

std::vector<KernelFacts> CaseSources::kernels(const TruthCase &C) {
  std::vector<KernelFacts> All;
  for (const std::string &File : C.Files)
    if (sys::path::extension(File) == ".cu")
      for (const KernelFacts &Facts : read(C, File).Facts.Kernels)
        if (Facts.View != MachineView::Sass)
          All.push_back(Facts);
  return All;
}

const KernelFacts *CaseSources::findMachineCode(const TruthCase &C) {
  for (const std::string &File : C.Files)
    if (sys::path::extension(File) == ".cu")
      for (const KernelFacts &Facts : read(C, File).Facts.Kernels)
        if (Facts.View == MachineView::Sass &&
            isSameKernel(C.MangledName, Facts.Name))
          return &Facts;
  return nullptr;
}
