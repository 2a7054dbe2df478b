//===- Document.h - A text as the editor has it -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_DOCUMENT_H
#define GPUOCC_TOOLS_LSP_DOCUMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <memory>
#include <string>
#include <vector>

namespace gpuocc::editor {

/// A text with its lines. The protocol counts lines from 0 and UTF-16 code
/// units; the compiler counts lines from 1 and bytes from 1; offsets are bytes.
class Document {
public:
  explicit Document(std::string Text);

  llvm::StringRef text() const { return *Text; }
  /// The text, which stays as it is when the document changes.
  std::shared_ptr<const std::string> sharedText() const { return Text; }

  unsigned numLines() const { return unsigned(Starts.size()); }
  /// Line \p Index, from 0, without its end; empty behind the last one.
  llvm::StringRef line(unsigned Index) const;

  /// The offset of \p P; a place behind the end of its line or of the text is
  /// the end.
  size_t offsetOf(llvm::lsp::Position P) const;
  llvm::lsp::Position positionOf(size_t Offset) const;
  /// The offset of the compiler's \p Line and \p Column; column 0 is the first
  /// character of the line that is no blank.
  size_t offsetOf(unsigned Line, unsigned Column) const;

  /// Replaces the range of \p Change, or all.
  void apply(const llvm::lsp::TextDocumentContentChangeEvent &Change);

private:
  void findLines();

  std::shared_ptr<const std::string> Text;
  /// Offsets at which lines start.
  std::vector<size_t> Starts;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_DOCUMENT_H
