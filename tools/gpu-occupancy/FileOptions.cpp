//===- FileOptions.cpp - How one file is compiled -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileOptions.h"
#include "Project.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Files that a build compiles, or that such files include.
static constexpr StringLiteral Extensions[] = {".cu", ".cuh", ".h", ".hpp"};

/// How the build compiles \p File, where there is one that does.
static Expected<std::optional<SourceJob>> jobOf(StringRef File,
                                                const ProjectOptions &Sets) {
  const bool IsNamed = !Sets.Build.empty();
  if (!is_contained(Extensions, sys::path::extension(File)) ||
      (!IsNamed && !Sets.LooksForDatabases))
    return std::nullopt;
  std::vector<std::string> Notes;
  Expected<std::optional<SourceJob>> Job =
      jobFromDatabase(Sets.Build, File, Sets.QueryDrivers, Notes);
  if (!Job)
    return Job.takeError();
  if (!*Job && IsNamed)
    Notes.push_back("the compilation database does not know '" + File.str() +
                    "'");
  for (const std::string &Note : Notes)
    errs() << "note: " << printable(Note) << '\n';
  return Job;
}

Expected<FileOptions>
FileOptions::ofBuild(SourceJob Job, const AssessFileOptions &Given,
                     ArrayRef<StringRef> CompilerOptions) {
  FileOptions Out;
  const std::vector<std::string> More(CompilerOptions.begin(),
                                      CompilerOptions.end());
  Expected<TranslatedArguments> Compiler = compilerArguments(More, ".");
  if (!Compiler)
    return Compiler.takeError();
  TranslatedArguments &All = Job.Arguments;
  append_range(All.Clang, Compiler->Clang);
  append_range(All.Nvcc, Compiler->Nvcc);
  append_range(All.Architectures, Compiler->Architectures);
  Out.OfDatabase = optionsOf(Job);
  if (Given.BuiltByIsGiven)
    erase_if(Out.OfDatabase,
             [](StringRef O) { return O.starts_with("--built-by="); });
  const std::vector<StringRef> Words(Out.OfDatabase.begin(),
                                     Out.OfDatabase.end());
  // Rows point into what they set.
  AssessFileOptions Whole = Given;
  Expected<ParsedArguments> Parsed = parseArguments(Words, Whole.rows());
  if (!Parsed)
    return Parsed.takeError();
  Out.Options = std::move(Whole);
  Out.Words = std::move(All.Clang);
  Out.Options.Source.ClangArguments.assign(Out.Words.begin(), Out.Words.end());
  return std::move(Out);
}

Expected<FileOptions> FileOptions::create(StringRef File,
                                          const AssessFileOptions &Given,
                                          ArrayRef<StringRef> CompilerOptions,
                                          const ProjectOptions &Sets) {
  Expected<std::optional<SourceJob>> Job = jobOf(File, Sets);
  if (!Job)
    return Job.takeError();
  if (*Job)
    return ofBuild(std::move(**Job), Given, CompilerOptions);
  FileOptions Out;
  Out.Options = Given;
  Expected<TranslatedArguments> Compiler =
      takeCompilerOptions(CompilerOptions, Out.Options.Source);
  if (!Compiler)
    return Compiler.takeError();
  Out.Words = std::move(Compiler->Clang);
  Out.Options.Source.ClangArguments.assign(Out.Words.begin(), Out.Words.end());
  return std::move(Out);
}
