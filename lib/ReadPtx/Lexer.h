//===- Lexer.h - Words of PTX ----------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_LEXER_H
#define GPUOCC_LIB_READPTX_LEXER_H

#include "gpuocc/ReadPtx/PtxModule.h"

namespace gpuocc {

struct PtxToken {
  enum class Kind : uint8_t {
    /// "ld.global.v4.b32", "%r1", "%tid.x", "$L__BB0_1": letters, digits, '$',
    /// '%', '_', and dots and "::" between them.
    Word,
    /// ".reg", ".shared::cta": the same with a dot before it.
    Directive,
    Integer,
    Float,
    String,
    /// One character.
    Sign,
    End,
    /// A character or a number that PTX does not have, an open comment or
    /// string.
    Bad
  };
  Kind K = Kind::End;
  uint8_t FloatBits = 0;
  /// As written; of strings without the quotes; of directives without the dot.
  llvm::StringRef Text;
  /// Integer: the value; Float: its bits.
  uint64_t Number = 0;

  bool isSign(char C) const {
    return K == Kind::Sign && Text.size() == 1 && Text[0] == C;
  }
};

/// Takes a text apart, token by token.
class PtxLexer {
public:
  explicit PtxLexer(llvm::StringRef Text) : Rest(Text), LineBegin(Text.data()) {
    advance();
  }

  const PtxToken &token() const { return Current; }
  void advance();

  /// Where the current token begins.
  PtxPlace place() const;

  /// The comment behind the previous token in its line, without "//".
  llvm::StringRef commentBefore() const { return Comment; }

  /// All text from the current token to the "}" that closes the block it is in,
  /// which is current then; null when there is none.
  llvm::StringRef takeToClosingBrace();

  /// All text from the current token to the next ";" outside of braces and
  /// strings, which is current then; null when there is none.
  llvm::StringRef takeToSemicolon();

private:
  void skipSpace();
  void lexNumber();
  void countLines(llvm::StringRef Skipped);
  bool skipBalanced(bool UntilSemicolon);
  void finish(PtxToken::Kind K, size_t Length);

  llvm::StringRef Rest;
  /// Where the line of Rest begins, and its number.
  const char *LineBegin;
  unsigned Line = 1;
  PtxToken Current;
  llvm::StringRef Comment;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_LEXER_H
