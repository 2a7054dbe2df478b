//===- PtxOpcodesTest.cpp - PTX instructions run as on a GPU --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../golden/ptx-opcodes/operands.h"
#include "KernelRun.h"
#include "gpuocc/Kernel/PtxSteps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A form of an instruction and what an H100 gave for it.
struct Form {
  std::string Text, Out, In;
  std::vector<uint64_t> First;
};

/// Each \p Step th form that threads run for themselves, and some that
/// intrinsics are lifted to.
std::vector<Form> readForms(size_t Step) {
  std::vector<Form> Forms;
  auto File = cantFail(errorOrToExpected(MemoryBuffer::getFile(
      GPUOCC_SOURCE_DIR "/test/golden/ptx-opcodes/nvidia-h100.json")));
  const json::Value Parsed = cantFail(json::parse(File->getBuffer()));
  for (const json::Value &V : *Parsed.getAsObject()->getArray("cases")) {
    const json::Object &Case = *V.getAsObject();
    Form F = {Case.getString("text")->str(),
              Case.getString("out")->str(),
              Case.getString("in")->str(),
              {}};
    const StringRef Text = F.Text;
    if (Text.contains("sync") || Text.contains("%%") ||
        Text.starts_with("activemask"))
      continue;
    SmallVector<StringRef, 16> Numbers;
    Case.getString("first")->split(Numbers, ' ');
    for (StringRef Number : Numbers)
      F.First.push_back(std::stoull(Number.str(), nullptr, 16));
    Forms.push_back(std::move(F));
  }
  std::vector<Form> Chosen;
  for (size_t I = 0; I < Forms.size(); ++I)
    if (const StringRef Text = Forms[I].Text;
        I % Step == 0 || Text.starts_with("sub.rz") ||
        Text.starts_with("div.s32") || Text.starts_with("cvt.rna"))
      Chosen.push_back(std::move(Forms[I]));
  return Chosen;
}

struct Kind {
  StringRef Type, Whole, Constraint;
};

Kind kindOf(char C) {
  switch (C) {
  case 'h':
  case 'e':
  case 'b':
    return {"i16", "i16", "h"};
  case 'l':
  case 'Q':
    return {"i64", "i64", "l"};
  case 'f':
    return {"float", "i32", "f"};
  case 'd':
    return {"double", "i64", "d"};
  default:
    return {"i32", "i32", "r"};
  }
}

/// Kernel \p Number: thread t reads the operands in[t], 64 bits each, and
/// writes the results to out[t].
std::string kernelOf(const Form &F, size_t Number) {
  std::string Code, Constraints, Arguments, Results;
  raw_string_ostream OS(Code);
  OS << "define ptx_kernel void @k" << Number << "(ptr %out, ptr %in) {\n"
     << "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  auto Add = [](std::string &To, const Twine &What) {
    To += (To.empty() ? "" : ",") + What.str();
  };
  for (char C : F.Out) {
    Add(Results, kindOf(C).Type);
    Add(Constraints, "=" + kindOf(C).Constraint);
  }
  for (auto [I, C] : enumerate(F.In)) {
    const Kind K = kindOf(C);
    OS << "  %n" << I << " = mul i32 %t, " << F.In.size() << "\n  %m" << I
       << " = add i32 %n" << I << ", " << I << "\n  %p" << I
       << " = getelementptr i64, ptr %in, i32 %m" << I << "\n  %x" << I
       << " = load " << K.Whole << ", ptr %p" << I << "\n  %a" << I
       << " = bitcast " << K.Whole << " %x" << I << " to " << K.Type << "\n";
    Add(Arguments, K.Type + " %a" + Twine(I));
    Add(Constraints, K.Constraint);
  }
  std::string Text;
  for (size_t I = 0; I != F.Text.size(); ++I)
    Text += F.Text[I] == '%' && I + 1 != F.Text.size() && isDigit(F.Text[I + 1])
                ? '$'
                : F.Text[I];
  const bool IsOne = F.Out.size() == 1;
  OS << "  %r = call " << (IsOne ? Results : "{" + Results + "}") << " asm \""
     << Text << "\", \"" << Constraints << "\"(" << Arguments << ")\n";
  for (auto [I, C] : enumerate(F.Out)) {
    const Kind K = kindOf(C);
    if (IsOne)
      OS << "  %v0 = bitcast " << K.Type << " %r to " << K.Whole << "\n";
    else
      OS << "  %e" << I << " = extractvalue {" << Results << "} %r, " << I
         << "\n  %v" << I << " = bitcast " << K.Type << " %e" << I << " to "
         << K.Whole << "\n";
    OS << "  %f" << I << " = mul i32 %t, " << F.Out.size() << "\n  %g" << I
       << " = add i32 %f" << I << ", " << I << "\n  %q" << I
       << " = getelementptr i64, ptr %out, i32 %g" << I << "\n  store "
       << K.Whole << " %v" << I << ", ptr %q" << I << "\n";
  }
  OS << "  ret void\n}\n";
  return Code;
}

TEST(PtxOpcodes, RunAsOnAGpu) {
  // Few, since each is compiled.
  constexpr size_t Step = 40;
  const std::vector<Form> Forms = readForms(Step);
  ASSERT_GT(Forms.size(), 30u);
  std::string Code = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  for (auto [I, F] : enumerate(Forms))
    Code += kernelOf(F, I);
  KernelRun Run(Code);
  size_t NumRun = 0;
  for (auto [I, F] : enumerate(Forms)) {
    SCOPED_TRACE(F.Text);
    const uint64_t Seed = opcodes::seedOf(F.Text.c_str());
    std::vector<uint64_t> In, Out(opcodes::NumSamples * F.Out.size());
    for (unsigned T = 0; T != opcodes::NumSamples; ++T)
      for (auto [K, C] : enumerate(F.In))
        In.push_back(opcodes::operand(C, Seed, T, unsigned(K)));
    const std::string Problem =
        Run.launch("k" + std::to_string(I), {1, 1, 1},
                   {opcodes::NumSamples, 1, 1}, Out.data(), In.data());
    if (!Problem.empty()) {
      EXPECT_FALSE(whyOpaquePtx(StringRef(F.Text).split(' ').first).empty())
          << Problem;
      continue;
    }
    ++NumRun;
    for (auto [R, Value] : enumerate(Out))
      EXPECT_EQ(utohexstr(opcodes::canonical(F.Out[R % F.Out.size()], Value)),
                utohexstr(F.First[R]));
  }
  EXPECT_GT(NumRun, Forms.size() * 8 / 10);
}

} // namespace
