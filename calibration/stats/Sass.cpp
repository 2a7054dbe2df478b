//===- Sass.cpp - Opcodes of a loop in a disassembly ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sass.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

std::string LoopCount::verdict(double Expected) const {
  if (Spills)
    return "spills";
  if (BankConflicts > 0.05 * Found)
    return "register bank conflicts";
  if (std::fabs(Found - Expected) < 0.5)
    return "as claimed";
  return Found == 0 ? "opcode not found" : "another count";
}

namespace {
struct SassLine {
  StringRef Opcode, Operands;
};
} // namespace

/// The instruction of a line such as `/*0120*/ @P0 FADD R1, R2, R3 ;`.
static std::optional<SassLine> parseLine(StringRef Line) {
  Line = Line.trim();
  if (!Line.consume_front("/*"))
    return std::nullopt;
  auto [Address, Rest] = Line.split("*/");
  if (Address.empty() || !all_of(Address, isHexDigit))
    return std::nullopt;
  Rest = Rest.trim();
  if (Rest.starts_with("@"))
    Rest = Rest.drop_until(isSpace).ltrim();
  SassLine S;
  S.Opcode = Rest.take_until([](char C) { return isSpace(C) || C == ';'; });
  S.Operands = Rest.drop_front(S.Opcode.size());
  if (S.Opcode.empty())
    return std::nullopt;
  return S;
}

bool hasBankConflict(StringRef Operands) {
  SmallVector<StringRef, 8> Parts;
  Operands.split(Parts, ',');
  SmallVector<unsigned, 4> Banks[2];
  // The first operand is written.
  for (StringRef Part : ArrayRef<StringRef>(Parts).drop_front()) {
    Part = Part.trim(" \t;-|~!");
    unsigned Number;
    if (!Part.consume_front("R") || Part.ends_with(".reuse") ||
        Part.take_while(isDigit).getAsInteger(10, Number))
      continue;
    if (!is_contained(Banks[Number % 2], Number))
      Banks[Number % 2].push_back(Number);
  }
  return Banks[0].size() >= 3 || Banks[1].size() >= 3;
}

namespace {
/// The instructions of a kernel and the bounds of its longest loop.
struct KernelLines {
  std::vector<SassLine> Lines;
  size_t First = 0, Last = 0; ///< Equal without a loop; Last is the branch.
};
} // namespace

static KernelLines linesOf(StringRef Disassembly, StringRef Kernel) {
  KernelLines K;
  size_t Start = Disassembly.find((".text." + Kernel + ":").str());
  if (Start == StringRef::npos)
    return K;
  StringRef Body = Disassembly.substr(Start);
  Body = Body.take_front(Body.find("\n//----"));
  StringMap<size_t> Labels;
  for (StringRef Line : split(Body, '\n')) {
    if (Line.starts_with(".L") && Line.trim().ends_with(":")) {
      Labels[Line.trim().drop_back()] = K.Lines.size();
      continue;
    }
    std::optional<SassLine> S = parseLine(Line);
    if (!S)
      continue;
    if (S->Opcode.starts_with("BRA")) {
      StringRef Label = S->Operands.split("`(").second.split(')').first;
      auto Target = Labels.find(Label);
      if (Target != Labels.end() &&
          K.Lines.size() - Target->second > K.Last - K.First) {
        K.First = Target->second;
        K.Last = K.Lines.size();
      }
    }
    K.Lines.push_back(*S);
  }
  return K;
}

static LoopCount countLines(ArrayRef<SassLine> Lines, StringRef Opcodes) {
  LoopCount Count;
  SmallVector<StringRef, 4> Claimed;
  Opcodes.split(Claimed, '|');
  for (const SassLine &Line : Lines) {
    if (is_contained(Claimed, Line.Opcode)) {
      ++Count.Found;
      // Matrix instructions read runs of registers.
      bool Matrix = Line.Opcode.substr(1).starts_with("MMA.");
      Count.BankConflicts += !Matrix && hasBankConflict(Line.Operands);
    } else
      ++Count.Others;
    Count.Spills |=
        Line.Opcode.starts_with("LDL") || Line.Opcode.starts_with("STL");
  }
  return Count;
}

LoopCount countLoop(StringRef Disassembly, StringRef Kernel,
                    StringRef Opcodes) {
  KernelLines K = linesOf(Disassembly, Kernel);
  LoopCount Count =
      countLines(ArrayRef(K.Lines).slice(K.First, K.Last - K.First), Opcodes);
  if (K.Last > K.First)
    ++Count.Others; // The branch itself.
  return Count;
}

LoopCount countKernel(StringRef Disassembly, StringRef Kernel,
                      StringRef Opcodes) {
  return countLines(linesOf(Disassembly, Kernel).Lines, Opcodes);
}

Expected<std::string> disassemble(StringRef Tool, ArrayRef<char> Code) {
  SmallString<128> Input, Output;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("gpuocc", "cubin", Input))
    return createFileError("temporary file", EC);
  FileRemover RemoveInput(Input);
  sys::RemoveFileOnSignal(Input);
  if (std::error_code EC =
          sys::fs::createTemporaryFile("gpuocc", "sass", Output))
    return createFileError("temporary file", EC);
  FileRemover RemoveOutput(Output);
  sys::RemoveFileOnSignal(Output);
  scope_exit Forget([&] {
    sys::DontRemoveFileOnSignal(Input);
    sys::DontRemoveFileOnSignal(Output);
  });
  std::error_code EC;
  {
    raw_fd_ostream OS(Input, EC);
    if (EC)
      return createFileError(Input, EC);
    OS.write(Code.data(), Code.size());
  }
  std::string Message;
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Output),
                                          StringRef("")};
  if (sys::ExecuteAndWait(Tool, {Tool, "-c", Input}, std::nullopt, Redirects,
                          20, 0, &Message) != 0)
    return createStringError("'%s' failed: %s", Tool.str().c_str(),
                             Message.c_str());
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Output);
  if (!Text)
    return createFileError(Output, Text.getError());
  return (*Text)->getBuffer().str();
}

} // namespace gpuocc::calibration
