//===- Disassembly.cpp - What the disassembler printed --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadSass/Disassembly.h"
#include "gpuocc/ReadSass/ControlCode.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class Parser {
public:
  Parser(StringRef Text, StringRef Source) : Text(Text), Source(Source) {}

  Expected<std::vector<SassFunction>> run() {
    while (!Text.empty()) {
      StringRef Line;
      std::tie(Line, Text) = Text.split('\n');
      ++LineNumber;
      if (Error E = readLine(Line.trim()))
        return std::move(E);
    }
    if (!Pending.empty())
      return cutOff();
    if (Functions.empty())
      return wrong("no kernel", "the output of 'nvdisasm -c -g -hex'");
    return std::move(Functions);
  }

private:
  StringRef Text, Source;
  unsigned LineNumber = 0;
  unsigned SourceLine = 0;
  std::vector<SassFunction> Functions;
  /// The place that was read is inlined at the one that comes next.
  bool GoesOn = false;
  /// Opcode whose second line is still to come.
  std::string Pending;

  Error wrong(const Twine &What, const Twine &Right) const {
    return createStringError(Source + ":" + Twine(LineNumber) + ": " + What +
                             "; expected " + Right);
  }

  Error cutOff() const {
    return wrong("the encoding of '" + Pending + "' is cut off",
                 "the second half of it");
  }

  Error readLine(StringRef Line) {
    if (Line.consume_front("//## File "))
      return readPlace(Line);
    if (Line.consume_front(".section")) {
      Line = Line.trim();
      if (Line.consume_front(".text.")) {
        if (!Pending.empty())
          return cutOff();
        Functions.emplace_back();
        Functions.back().Name = Line.split(',').first.str();
        SourceLine = 0;
        GoesOn = false;
      }
      return Error::success();
    }
    if (Line.starts_with("/*"))
      return readInstruction(Line);
    if (Line.ends_with(":") && !Functions.empty())
      Functions.back().Labels[Line.drop_back().str()] =
          Functions.back().Instructions.size();
    return Error::success();
  }

  /// "NAME", line N, which ends in 'inlined at "NAME", line N' where such a
  /// line follows.
  Error readPlace(StringRef Text) {
    const StringRef Its = Text.split(" inlined at ").first;
    const auto [Name, Number] = Its.rsplit(", line ");
    SourcePlace Place;
    if (Number.take_while(isDigit).getAsInteger(10, Place.Line))
      return wrong("a place without a line", "'//## File \"NAME\", line N'");
    Place.File = Name.trim('"').str();
    const bool IsCaller = GoesOn;
    GoesOn = Its.size() != Text.size();
    if (!IsCaller)
      SourceLine = Place.Line;
    if (Functions.empty())
      return Error::success();
    std::vector<SourceLocation> &Places = Functions.back().Places;
    if (!IsCaller || Places.empty())
      Places.emplace_back();
    Places.back().Places.push_back(std::move(Place));
    return Error::success();
  }

  /// The value of a comment such as "/* 0x00000a00ff017b82 */", or nothing.
  static std::optional<uint64_t> encoding(StringRef Comment) {
    uint64_t Value = 0;
    Comment.consume_front("/*");
    if (Comment.split("*/").first.trim().getAsInteger(0, Value))
      return std::nullopt;
    return Value;
  }

  Error readInstruction(StringRef Line) {
    if (Functions.empty())
      return wrong("an instruction outside of a code section", "'.section'");
    SassFunction &F = Functions.back();
    if (!Pending.empty()) {
      std::optional<uint64_t> Upper = encoding(Line);
      if (!Upper)
        return wrong("no second half of the encoding of '" + Pending + "'",
                     "'/* 0x... */'");
      F.Instructions.back().Control = decodeControlCode(*Upper);
      Pending.clear();
      return Error::success();
    }
    auto [Offset, Rest] = Line.drop_front(2).split("*/");
    SassInstruction I;
    I.Line = SourceLine;
    if (!F.Places.empty())
      I.Place = F.Places.size() - 1;
    if (Offset.getAsInteger(16, I.Offset))
      return wrong("an instruction without an offset", "'/*0010*/'");
    auto [Code, Comment] = Rest.split(';');
    if (!encoding(Comment.trim()))
      return wrong("an instruction without its encoding",
                   "the output of 'nvdisasm -c -g -hex'");
    Code = Code.trim();
    if (Code.consume_front("@")) {
      auto [Predicate, Instruction] = Code.split(' ');
      I.Predicate = Predicate.str();
      Code = Instruction.trim();
    }
    auto [Opcode, Operands] = Code.split(' ');
    if (Opcode.empty() || !isUpper(Opcode.front()))
      return wrong("'" + Code + "' is no instruction", "an opcode");
    I.Opcode = Opcode.str();
    while (!Operands.empty()) {
      StringRef One;
      std::tie(One, Operands) = Operands.split(',');
      I.Operands.push_back(One.trim().str());
    }
    Pending = I.Opcode;
    F.Instructions.push_back(std::move(I));
    return Error::success();
  }
};

} // namespace

Expected<std::vector<SassFunction>> gpuocc::parseDisassembly(StringRef Text,
                                                             StringRef Source) {
  return Parser(Text, Source).run();
}
