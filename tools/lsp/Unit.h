//===- Unit.h - What is known of one compiled file --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_UNIT_H
#define GPUOCC_TOOLS_LSP_UNIT_H

#include "Analysis.h"
#include "Document.h"
#include <map>
#include <set>

namespace gpuocc::editor {

/// A file that is compiled, and what came out.
struct Unit {
  /// The last analysis that had a result.
  AnalysisResult Good;
  /// Why the text that the editor has now has none; empty: it has.
  std::string Problem;
  std::optional<CompilerError> Error;
  /// The device that was chosen by a click; empty: what the settings say.
  std::string Device;
  /// By kernel: how often its lens was clicked to see another launch.
  std::map<std::string, unsigned> Clicks;

  bool isStale() const { return !Problem.empty(); }
};

/// One open document with what is known of it.
class ShownFile {
public:
  /// \p File is the absolute path of \p Text, and \p Of the analysis whose
  /// places are looked for in it.
  ShownFile(llvm::StringRef File, const Document &Text,
            const AnalysisResult &Of);

  llvm::StringRef file() const { return File; }
  const Document &text() const { return Text; }

  /// True if \p Place is in this file.
  bool contains(const SourcePlace &Place) const;
  /// The word at \p Place as the text stands now; nothing when it is in another
  /// file or was edited.
  std::optional<llvm::lsp::Range> rangeOf(const SourcePlace &Place) const;
  /// The line, from 1, that the analysis knows as that of \p P; nothing when it
  /// was edited.
  std::optional<unsigned> analyzedLine(llvm::lsp::Position P) const;

private:
  std::string File;
  const Document &Text;
  /// Words now and at the time of the analysis, where that is known.
  std::optional<TokenList> Now;
  std::shared_ptr<const TokenList> Then;
  std::optional<Document> TextThen;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_UNIT_H
