//===- Tokens.h - The words of a source -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Results are computed for a text, and shown in one that was edited since.
/// Where the words of both are the same, only blanks and comments differ: the
/// result still holds, and each of its places has moved with its word.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_TOKENS_H
#define GPUOCC_TOOLS_LSP_TOKENS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc::editor {

/// A word of C++: a name, a number, a literal, or signs without blanks between
/// them, or a comment with "NOLINT". Directives of the preprocessor end with an
/// empty word.
struct Token {
  uint32_t Offset = 0;
  uint32_t Length = 0;
  /// In a directive and behind a blank, which matters there.
  bool IsApart = false;
};

class TokenList {
public:
  explicit TokenList(std::shared_ptr<const std::string> Text);

  llvm::StringRef text() const { return *Text; }
  size_t size() const { return Tokens.size(); }
  const Token &operator[](size_t I) const { return Tokens[I]; }
  llvm::StringRef word(size_t I) const {
    return text().substr(Tokens[I].Offset, Tokens[I].Length);
  }
  /// The last word that starts at or in front of \p Offset.
  std::optional<size_t> at(size_t Offset) const;
  /// The offset of the first word that starts between \p From and \p To, the
  /// latter not included; \p From where there is none.
  size_t firstWordIn(size_t From, size_t To) const;
  /// Equal for texts of the same words.
  uint64_t hash() const;

private:
  std::shared_ptr<const std::string> Text;
  std::vector<Token> Tokens;
};

/// Where places of one text are in another: the words in front of the first
/// difference and those behind the last.
class PlaceMap {
public:
  PlaceMap(const TokenList &From, const TokenList &To);

  /// True when the words are the same.
  bool isSame() const { return Front == From->size() && Front == To->size(); }
  /// The offset in To of the word at \p Offset of From; nothing where that was
  /// edited.
  std::optional<size_t> map(size_t Offset) const;

private:
  const TokenList *From;
  const TokenList *To;
  /// Words that both have at their beginning, and of what is left at their end.
  size_t Front = 0, Back = 0;
};

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_TOKENS_H
