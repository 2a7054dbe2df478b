//===- PtxModule.h - PTX as it is written ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The syntax of a PTX file as values. All text refers to the file's own, which
/// has to outlive the module.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READPTX_PTXMODULE_H
#define GPUOCC_READPTX_PTXMODULE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gpuocc {

/// A place in the PTX file; both count from 1.
struct PtxPlace {
  unsigned Line = 0, Column = 0;
};

/// An operand of an instruction.
struct PtxOperand {
  enum class Kind : uint8_t {
    /// A register, special register, variable, function or label.
    Name,
    /// An integer.
    Integer,
    /// A floating-point number: its bits, and their number.
    Float,
    /// "[base+offset]"; Elements hold what follows a comma in the brackets.
    Address,
    /// "{a, b}".
    Vector,
    /// "(a, b)" of a call.
    List
  };
  Kind K = Kind::Integer;
  /// Written with "!" before it.
  bool Negated = false;
  /// Float: 32 or 64.
  uint8_t FloatBits = 0;
  /// Name, and the base of an Address; empty for a number.
  llvm::StringRef Name;
  /// The second of two results, "p|q".
  llvm::StringRef Second;
  /// Integer; what is added to a Name or Address; bits of a Float.
  int64_t Number = 0;
  std::vector<PtxOperand> Elements;

  bool isName() const { return K == Kind::Name; }
};

/// "f32", "b8", "pred", "f16x2".
struct PtxType {
  llvm::StringRef Text;
  /// Bits of one value; 1 for predicates, 0 for references to textures and
  /// the like.
  unsigned Bits = 0;

  bool isFloat() const {
    return Text.starts_with("f") || Text.starts_with("bf");
  }
  bool isSigned() const { return Text.starts_with("s"); }
};

/// The type that \p Text ("f32", without a dot) names; nothing when it is none.
std::optional<PtxType> ptxTypeOf(llvm::StringRef Text);

/// A line of the source, with the calls that it is inlined at.
struct PtxSourceLine {
  unsigned File = 0, Line = 0, Column = 0;
  /// "function_name": a label in a section with strings.
  llvm::StringRef Function;
  uint64_t FunctionOffset = 0;
  /// "inlined_at": the place of the call.
  struct Call {
    unsigned File = 0, Line = 0, Column = 0;
    bool operator==(const Call &) const = default;
  };
  std::optional<Call> InlinedAt;
  /// The comment behind it in this line.
  llvm::StringRef Comment;
};

/// A variable, parameter or register.
struct PtxVariable {
  /// "reg", "shared", "global", "const", "local", "param".
  llvm::StringRef Space;
  PtxType Type;
  /// "visible", "extern", "weak", "common", or empty.
  llvm::StringRef Linkage;
  llvm::StringRef Name;
  unsigned AlignBytes = 0;
  /// ".v2", ".v4"; 1 for others.
  unsigned VectorLength = 1;
  /// Registers "%r<100>": the number in angle brackets; 0 for a single one.
  unsigned NumRegisters = 0;
  /// Elements of an array; 0 for one without a size ("x[]").
  std::optional<uint64_t> NumElements;
  /// Parameters: ".ptr", the space that it points into (empty: generic), and
  /// the alignment of what it points to.
  bool IsPointer = false;
  llvm::StringRef PointerSpace;
  unsigned PointeeAlignBytes = 0;
  /// What follows "="; empty if nothing does.
  llvm::StringRef Initializer;
  /// What is written before the type that is none of the above
  /// (".attribute(.managed)").
  llvm::StringRef Attributes;

  uint64_t sizeBytes() const {
    return Type.Bits / 8 * uint64_t(VectorLength) * NumElements.value_or(1);
  }
};

/// One statement of a function's body. Blocks in braces are not nested but
/// begin and end in the list.
struct PtxStatement {
  enum class Kind : uint8_t {
    Instruction,
    Label,
    Variable,
    /// "L: .branchtargets A, B;" and "L: .calltargets f, g;"
    Targets,
    /// "P: .callprototype ...": Text is what follows the directive.
    Prototype,
    Pragma,
    BlockBegin,
    BlockEnd
  };
  Kind K = Kind::Instruction;
  bool GuardNegated = false;
  PtxPlace Place;
  /// Index in PtxFunction::Lines of the last ".loc" before it; -1: none.
  int SourceLine = -1;
  /// The predicate register; empty if it is always executed.
  llvm::StringRef Guard;
  /// Mnemonic; name of the label or of what has targets; text of a pragma.
  llvm::StringRef Text;
  /// "branchtargets", "calltargets", or the text of a prototype.
  llvm::StringRef Directive;
  llvm::SmallVector<PtxOperand, 4> Operands;
  /// Index in PtxFunction::Variables.
  unsigned Variable = 0;
};

/// ".maxntid 128, 1, 1" and the like of a function.
struct PtxDirective {
  llvm::StringRef Name;
  llvm::SmallVector<uint64_t, 3> Numbers;
  /// The text of strings (".pragma").
  llvm::StringRef Text;
};

/// A kernel or a function that is called.
struct PtxFunction {
  llvm::StringRef Name;
  llvm::StringRef Linkage;
  llvm::StringRef Attributes;
  PtxPlace Place;
  bool IsKernel = false;
  bool HasBody = false;
  std::vector<PtxVariable> Results;
  std::vector<PtxVariable> Parameters;
  std::vector<PtxDirective> Directives;
  std::vector<PtxVariable> Variables;
  std::vector<PtxSourceLine> Lines;
  std::vector<PtxStatement> Body;

  /// The directive \p Name, or null.
  const PtxDirective *directive(llvm::StringRef Name) const {
    for (const PtxDirective &D : Directives)
      if (D.Name == Name)
        return &D;
    return nullptr;
  }
};

/// ".file 1 "a.cu"".
struct PtxFile {
  unsigned Index = 0;
  llvm::StringRef Path;
  /// What follows the path: time stamp and size.
  llvm::SmallVector<uint64_t, 2> Numbers;
};

/// ".section NAME { ... }", without the braces.
struct PtxSection {
  llvm::StringRef Name;
  llvm::StringRef Text;
};

struct PtxModule {
  /// Of the file that it was read from.
  llvm::StringRef FileName;
  llvm::StringRef Version;
  /// "sm_90a".
  llvm::StringRef Architecture;
  /// What follows the architecture: "debug", "texmode_independent".
  llvm::SmallVector<llvm::StringRef, 2> TargetOptions;
  unsigned AddressBits = 64;
  std::vector<PtxFile> Files;
  std::vector<PtxVariable> Variables;
  std::vector<PtxFunction> Functions;
  std::vector<PtxSection> Sections;
  /// ".alias f, g;"
  std::vector<std::array<llvm::StringRef, 2>> Aliases;
  std::vector<llvm::StringRef> Pragmas;
};

} // namespace gpuocc

#endif // GPUOCC_READPTX_PTXMODULE_H
