//===- CaseSources.cpp - Facts of measured kernels ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseSources.h"
#include "gpu-occupancy/ReadSource.h"
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

std::vector<std::string> CaseSources::paths(const TruthCase &C) const {
  std::vector<std::string> Paths;
  for (const std::string &File : C.Files)
    Paths.push_back(joined(folderOf(C), File));
  return Paths;
}

std::vector<std::string> CaseSources::nearby(const TruthCase &C) const {
  static constexpr StringLiteral Extensions[] = {".cu", ".cpp", ".cc", ".cxx",
                                                 ".c"};
  const std::vector<std::string> Own = paths(C), Flags = flags(C);
  std::vector<std::string> Folders, Found;
  for (StringRef Path : Own)
    Folders.push_back(sys::path::parent_path(Path).str());
  for (StringRef Flag : Flags)
    if (Flag.consume_front("-I"))
      Folders.push_back(Flag.str());
  for (const std::string &Folder : Folders) {
    std::error_code EC;
    for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC;
         I.increment(EC))
      if (is_contained(Extensions, sys::path::extension(I->path())) &&
          !is_contained(Own, I->path()) && !is_contained(Found, I->path()))
        Found.push_back(I->path());
  }
  llvm::sort(Found);
  return Found;
}

Expected<FactsFile> CaseSources::compile(const TruthCase &C, StringRef File) {
  std::vector<std::string> Flags = flags(C);
  SourceOptions ForCase = Options;
  ForCase.BuiltBy = C.Compiler;
  for (const std::string &Flag : Flags)
    ForCase.ClangArguments.push_back(Flag);
  return readSource(joined(folderOf(C), File), ForCase);
}

const CaseSources::Entry &CaseSources::read(const TruthCase &C,
                                            StringRef File) {
  std::string Key = C.Suite + "/" + File.str();
  if (C.Compiler == "clang")
    Key += "@clang";
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
      if (Facts.View != "sass" && isSameKernel(C.MangledName, Facts.Name))
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
        if (Facts.View != "sass")
          All.push_back(Facts);
  return All;
}

const KernelFacts *CaseSources::findMachineCode(const TruthCase &C) {
  for (const std::string &File : C.Files)
    if (sys::path::extension(File) == ".cu")
      for (const KernelFacts &Facts : read(C, File).Facts.Kernels)
        if (Facts.View == "sass" && isSameKernel(C.MangledName, Facts.Name))
          return &Facts;
  return nullptr;
}
