//===- Parser.h - Tokens to PTX --------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_PARSER_H
#define GPUOCC_LIB_READPTX_PARSER_H

#include "Lexer.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Reads a module. Functions return false when Problem is set, and nothing is
/// read from then on.
class PtxParser {
public:
  PtxParser(llvm::StringRef Text, llvm::StringRef FileName) : Lexer(Text) {
    M.FileName = FileName;
  }

  llvm::Expected<PtxModule> parse();

private:
  // Parser.cpp: what stands outside of functions.
  bool parseTopLevel();
  bool parseTarget();
  bool parseFile();
  bool parseSection();
  bool parseAlias();
  bool parseLinked(llvm::StringRef Linkage);
  bool parseFunction(PtxFunction &F);
  bool parseParameters(std::vector<PtxVariable> &Parameters);
  bool parseFunctionDirective(PtxFunction &F);

  // ParseVariable.cpp
  bool parseVariables(llvm::StringRef Space, llvm::StringRef Linkage,
                      std::vector<PtxVariable> &Variables);
  bool parseVariableType(PtxVariable &V);
  bool parseAttribute(PtxVariable &V);
  bool parsePointer(PtxVariable &V);
  bool parseDeclarator(PtxVariable &V);
  bool parseDimensions(PtxVariable &V);

  // ParseStatement.cpp
  bool parseBody(PtxFunction &F);
  bool parseBodyDirective(PtxFunction &F);
  bool parseSourceLine(PtxFunction &F);
  bool parseInlinedAt(PtxSourceLine &L);
  bool parseLabel(PtxFunction &F, PtxStatement S);
  bool parseInstruction(PtxStatement &S);
  bool parseOperand(PtxOperand &O, unsigned Depth = 0);
  bool parseNameOperand(PtxOperand &O);
  bool parseNumberOperand(PtxOperand &O);
  bool parseAddress(PtxOperand &O, unsigned Depth);
  bool parseElements(PtxOperand &O, char Close, unsigned Depth);
  bool parseOffset(int64_t &Offset);

  // What all use.
  const PtxToken &token() const { return Lexer.token(); }
  bool isDirective(llvm::StringRef Name) const {
    return token().K == PtxToken::Kind::Directive && token().Text == Name;
  }
  bool isWord(llvm::StringRef Name) const {
    return token().K == PtxToken::Kind::Word && token().Text == Name;
  }
  /// Takes the current token if it is the sign \p C.
  bool take(char C);
  bool expect(char C);
  bool expectWord(llvm::StringRef &Word, const llvm::Twine &What);
  bool expectInteger(uint64_t &Number, const llvm::Twine &What);
  bool expectUnsigned(unsigned &Number, const llvm::Twine &What);
  bool fail(const llvm::Twine &Expected);
  PtxStatement statement(PtxStatement::Kind K, const PtxFunction &F) const;

  PtxLexer Lexer;
  PtxModule M;
  std::string Problem;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_PARSER_H
