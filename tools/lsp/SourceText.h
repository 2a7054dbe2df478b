//===- SourceText.h - Pieces of C++ by their words --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Edits start from a text that need not compile, so they find their places by
/// words and brackets. What they find wrongly is not offered: each edit is
/// compiled first.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_SOURCETEXT_H
#define GPUOCC_TOOLS_LSP_SOURCETEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace gpuocc::editor {

/// Bytes of a text, the end not among them.
struct TextRange {
  size_t From = 0, To = 0;

  llvm::StringRef of(llvm::StringRef Text) const {
    return Text.slice(From, To);
  }
};

/// True for what words of C++ are made of: letters, digits, underscores and
/// bytes of characters that are not ASCII.
bool isOfWord(char C);

/// True for a word of letters, digits and underscores that is no number.
bool isName(llvm::StringRef Word);

/// The range without the blanks at its ends.
TextRange trimmed(llvm::StringRef Text, TextRange R);

/// The ranges between commas of \p Text from \p From on, brackets passed over,
/// up to the first bracket that closes none or up to \p Closer; nothing where
/// the text ends first.
std::optional<std::vector<TextRange>> listAt(llvm::StringRef Text, size_t From,
                                             llvm::StringRef Closer = "");

/// The places of \p Name as a whole word, in order.
std::vector<size_t> placesOf(llvm::StringRef Text, llvm::StringRef Name);

/// The places of the decimal number \p Value, which may have a suffix, in \p R;
/// the suffixes are not part of them.
std::vector<TextRange> numbersIn(llvm::StringRef Text, TextRange R,
                                 uint64_t Value);

/// The bracket \p Close that closes the \p Open in front of \p From.
std::optional<size_t> closerOf(llvm::StringRef Text, size_t From, char Open,
                               char Close);

/// What the last definition of \p Name that begins in front of \p Before gives
/// it: the expression of `Name = ...;`, `Name(...)`, `Name{...}` or
/// `#define Name ...`.
std::optional<TextRange> definitionOf(llvm::StringRef Text,
                                      llvm::StringRef Name, size_t Before);

/// The pieces of the definition of a function.
struct FunctionText {
  std::vector<TextRange> Parameters;
  /// What stands between its braces.
  TextRange Body;
};

/// The first definition of the function \p Name in \p Text.
std::optional<FunctionText> functionIn(llvm::StringRef Text,
                                       llvm::StringRef Name);

/// What stands in `kernel<<<Grid, Block>>>`.
struct LaunchWords {
  TextRange Grid, Block;
};

/// The launches of \p Kernel that \p Text writes with angle brackets.
std::vector<LaunchWords> launchesIn(llvm::StringRef Text,
                                    llvm::StringRef Kernel);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_SOURCETEXT_H
