//===- LspAnalyzer.h - Analyses for the language server ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_LSPANALYZER_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_LSPANALYZER_H

#include "LspGuesses.h"
#include "Project.h"
#include "gpuocc/Toolchain/Process.h"
#include "lsp/Analysis.h"
#include <deque>

namespace gpuocc {

/// Runs each analysis in a process of its own, and keeps what the next one of
/// the same file can use.
class LspAnalyzer : public editor::Analyzer {
public:
  /// \p Scratch is a folder for files that may go when the server ends.
  explicit LspAnalyzer(llvm::StringRef Scratch);

  editor::AnalysisResult analyze(const editor::AnalysisRequest &Request,
                                 const editor::StopFlag &Stop) override;
  void prepare(const editor::AnalysisRequest &Request,
               const editor::StopFlag &Stop) override;

private:
  using Texts = std::map<std::string, std::shared_ptr<const editor::TokenList>>;

  /// What an earlier analysis of a file left.
  struct Kept {
    /// What the facts were made of: options, words of the file, and the states
    /// of the files that it includes.
    std::string Made;
    std::vector<std::string> Dependencies;
    /// The texts that the facts speak of.
    Texts Words;
    /// Folder with the facts; empty: none.
    std::string Facts;
    /// Folder with the facts of an earlier text, while there are no others.
    std::string Known;
    /// What the report was made of beside the facts.
    std::string Assessed;
    std::optional<editor::AnalysisResult> Result;
    /// Of each kernel in its report, in their order (\see ReportKeys).
    std::vector<std::string> Keys;
  };
  /// An edit that was tried, which editors ask for again and again.
  struct Trial {
    std::string Key;
    editor::AnalysisResult Result;
  };
  /// How a file is compiled.
  struct Compilation {
    SourceJob Source;
    /// No database says how.
    bool MayGuess = false;
  };
  struct Job {
    SourceJob Source;
    std::vector<std::string> Command;
    /// Files that exist while the job runs.
    std::vector<TemporaryFile> Files;
    std::string Dependencies;
  };

  /// The kernels of its report, by their keys.
  static std::map<std::string, const KernelReport *>
  keptReports(const Kept &Slot);
  llvm::Expected<Compilation>
  compilationOf(const editor::AnalysisRequest &Request,
                std::vector<std::string> &Notes);
  /// Of files in \p Analyzed, the text that stands there.
  llvm::Expected<Job> prepareJob(const editor::AnalysisRequest &Request,
                                 SourceJob Source, const Texts &Analyzed);
  llvm::Expected<ProcessResult> run(const Job &J,
                                    const editor::AnalysisRequest &Request,
                                    const editor::StopFlag &Stop,
                                    llvm::ArrayRef<std::string> More);
  /// As run(), and where that fails for want of a header or a name with options
  /// that are guessed, which then are those of \p J and in \p Notes.
  llvm::Expected<ProcessResult>
  runGuessing(Job &J, const editor::AnalysisRequest &Request,
              const editor::StopFlag &Stop, llvm::ArrayRef<std::string> More,
              std::vector<std::string> &Notes);

  std::string Scratch;
  unsigned NumFolders = 0;
  std::map<std::string, Kept> KeptOf;
  LspGuesses Guesses;
  /// The latest ones, the newest last.
  std::deque<Trial> Trials;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_LSPANALYZER_H
