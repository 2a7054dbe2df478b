//===- Cures.h - Edits that mend a finding ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_CURES_H
#define GPUOCC_TOOLS_LSP_CURES_H

#include "Protocol.h"
#include "Unit.h"

namespace gpuocc {
struct Problem;
} // namespace gpuocc

namespace gpuocc::editor {

/// A replacement of bytes of a text.
struct Replacement {
  size_t Offset = 0, Length = 0;
  std::string Text;
};

/// An edit that may mend a problem.
struct Cure {
  /// "pad the rows of 'tile' by one element".
  std::string Title;
  std::vector<Replacement> Edits;
  /// Fewer threads do the same work.
  bool SharesWork = false;
};

/// What a cure of a whole kernel starts from: one of its launches, and the
/// document that defines or launches it.
struct Launched {
  const KernelReport &What;
  const Document &Text;
};

/// What a cure starts from: a problem, and the line where the document has it.
struct Patient {
  const Problem &What;
  const ShownFile &Shown;
  const Document &Text;
  const TokenList &Words;
  /// From 0.
  unsigned Line = 0;

  /// The indices of the words of \p OfLine, from 0.
  std::pair<size_t, size_t> wordsOfLine(unsigned OfLine) const;
  /// The same of the line of the problem.
  std::pair<size_t, size_t> wordsOfLine() const { return wordsOfLine(Line); }
};

/// Each returns what could mend \p P, not yet tried.
std::vector<Cure> padRows(const Patient &P);
std::vector<Cure> shortenConstants(const Patient &P);
std::vector<Cure> multiplyPowers(const Patient &P);
std::vector<Cure> addLaunchBounds(const Patient &P);
std::vector<Cure> swapThreads(const Patient &P);
/// Mends nothing, but the problem is no longer told.
std::vector<Cure> suppressHere(const Patient &P);

/// Each returns what could make the kernel \p K faster, not yet tried.
std::vector<Cure> chooseBlock(const Launched &K);
std::vector<Cure> addRestrict(const Launched &K);
std::vector<Cure> addressInSequence(const Launched &K);
std::vector<Cure> strideGrid(const Launched &K);

/// \p Text with \p Edits, which do not overlap.
std::string applyTo(llvm::StringRef Text, llvm::ArrayRef<Replacement> Edits);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_CURES_H
