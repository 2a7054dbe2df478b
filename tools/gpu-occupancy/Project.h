//===- Project.h - Which files of a project to analyze, and how -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_PROJECT_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_PROJECT_H

#include "gpuocc/Toolchain/CompileCommands.h"
#include "gpuocc/Toolchain/NvccArguments.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gpuocc {

struct SourceOptions;

/// What commands without arguments analyze.
inline constexpr llvm::StringLiteral CurrentFolder = ".";

/// A tree of files in the place of another, which may lack some of them.
struct StandIn {
  std::string Tree, Original;

  /// The path that is read instead of \p Path of the original.
  std::string pathFor(llvm::StringRef Path) const;
};

/// One file of a project, and how it is compiled.
struct SourceJob {
  std::string File;
  /// The folder that relative options start at; empty: the current one.
  std::string Directory;
  /// Options of clang and architectures; Inputs is empty.
  TranslatedArguments Arguments;
  /// Another source seems to include it: it is analyzed by itself only where
  /// that is not analyzed with it.
  bool IsPart = false;
  /// Where its include folders are guessed, the folder around it that they are
  /// taken from, an absolute path; empty: they are not. Macros may be guessed,
  /// too.
  std::string GuessedIn = {};
  /// "nvcc" or "clang": who builds the file.
  std::string BuiltBy = "nvcc";
  /// Where the file stands in for one of another tree, the two trees. A report
  /// that was kept for the other serves where all its files are equal.
  std::optional<StandIn> Stands = std::nullopt;
};

/// Files, and what was left out.
struct Project {
  std::vector<SourceJob> Jobs;
  std::vector<std::string> Notes;
};

/// The options \p Arguments as a user wrote them behind "--" or a build wrote
/// them for nvcc: those of nvcc become clang's, others stay. nvcc gets what it
/// knows.
llvm::Expected<TranslatedArguments>
compilerArguments(llvm::ArrayRef<std::string> Arguments,
                  llvm::StringRef Directory);

/// Gives \p Source the options \p Words that stand behind "--". It refers to
/// what is returned.
llvm::Expected<TranslatedArguments>
takeCompilerOptions(llvm::ArrayRef<llvm::StringRef> Words,
                    SourceOptions &Source);

/// How the compilation database \p Named compiles \p File: its own command or,
/// of a header, that of a source which includes it; nothing where the database
/// does not know it. If \p Named is empty, the nearest database counts: beside
/// \p File or above it, or in a folder "build" there. Fails when a named one
/// cannot be read. \p Notes receives what was left out of the command.
llvm::Expected<std::optional<SourceJob>>
jobFromDatabase(llvm::StringRef Named, llvm::StringRef File,
                llvm::ArrayRef<std::string> QueryDrivers,
                std::vector<std::string> &Notes);

/// The CUDA sources among \p Commands that \p Inputs select, each once, in the
/// order of \p Commands. An input is a file, a folder or a glob over paths;
/// headers stand for the first source in whose folder, or below which, they
/// lie. Without inputs all are selected. What selects nothing is a note, and so
/// are options that a repository may not decide. \p QueryDrivers are globs of
/// host compilers that it may name (\see mayRunCompiler).
llvm::Expected<Project>
projectOfBuild(llvm::ArrayRef<CompileCommand> Commands,
               llvm::ArrayRef<llvm::StringRef> Inputs,
               llvm::ArrayRef<std::string> QueryDrivers = {});

/// The CUDA sources (.cu) that \p Inputs name: files as they are, folders
/// searched with all below, globs. Each is compiled as the nearest compilation
/// database says, and where that does not know it, with \p Arguments, what the
/// nearest makefile says, and the folders around it as include paths, which a
/// note says. Of those that folders and globs stand for, sources that others
/// include are parts. Fails when a folder cannot be read.
llvm::Expected<Project>
projectOfFolders(llvm::ArrayRef<llvm::StringRef> Inputs,
                 const TranslatedArguments &Arguments,
                 llvm::ArrayRef<std::string> QueryDrivers = {});

/// \p File with \p Arguments and what projectOfFolders guesses for a source
/// that no database knows: from the repository around it, else from its folder.
/// A note says so, and that \p NamedBy names a database.
Project projectOfGuesses(llvm::StringRef File,
                         const TranslatedArguments &Arguments,
                         llvm::StringRef NamedBy = "-p");

/// Adds to the options of \p Job, which are guessed from a folder, those that
/// the whole repository around its file gives. False where it gives no others.
bool guessFromRepository(SourceJob &Job);

/// The folder around \p Source that is a repository; empty: there is none.
std::string repositoryOf(llvm::StringRef Source);

/// True when \p Arguments define or undefine the macro \p Name.
bool decidesMacro(llvm::ArrayRef<std::string> Arguments, llvm::StringRef Name);

/// How messages name \p File: by its path below the current folder, else by
/// its absolute path.
std::string nameFromHere(llvm::StringRef File);

/// True when \p Input stands for several sources: a glob, or a folder unless
/// it holds PTX only.
bool namesSeveralFiles(llvm::StringRef Input);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_PROJECT_H
