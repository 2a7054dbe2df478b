//===- Actions.h - Edits that were tried ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_ACTIONS_H
#define GPUOCC_TOOLS_LSP_ACTIONS_H

#include "Cures.h"

namespace gpuocc::editor {

/// A cure for one problem of a document, not yet tried.
struct Proposal {
  Cure What;
  /// The document with it.
  std::string Edited;
  /// Base name of the kernel that has the problem.
  std::string Kernel;
  /// The verdict's where no finding asks for it.
  RuleId Rule = {};
  /// Of the problem, as the report names it.
  SourcePlace Place;
  /// The diagnostic that the client shows for the problem.
  Diagnostic Fixes;
  /// The problem itself is what goes, not its cost.
  bool Suppresses = false;
};

/// What an edit does to the predictions of a kernel.
struct Outcome {
  /// Of all its launches together.
  double Gain = 1;
  /// "1.72x faster: 6.99 us to 4.05 us".
  std::string Words;
};

/// What the kernel of \p Of gains from \p Before to \p After with the edit;
/// nothing where that is too little to tell, or where not all of its launches
/// can be compared.
std::optional<Outcome> outcomeOf(const Report &Before, const Report &After,
                                 const Proposal &Of);

/// What could be done about the problems in the lines of \p Range.
std::vector<Proposal> proposalsFor(const Unit &Of, const ShownFile &Shown,
                                   const lsp::Range &Range,
                                   llvm::ArrayRef<Diagnostic> Diagnostics);

/// The action for \p P, whose title says what it gains, now that \p After is
/// known of the edited text; nothing where it does not compile, or gains
/// nothing.
std::optional<CodeAction> actionFor(const Proposal &P, const Unit &Before,
                                    const AnalysisResult &After,
                                    const Document &Text, llvm::StringRef Uri);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_ACTIONS_H
