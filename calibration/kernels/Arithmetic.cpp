//===- Arithmetic.cpp - Microkernels of instruction classes ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace gpuocc::calibration {

std::string arithmeticKernelName(unsigned Ilp) {
  return "ilp" + std::to_string(Ilp);
}

/// One step of chain \p Chain with its registers filled in.
static std::string instantiate(StringRef Step, unsigned Chain) {
  std::string Text;
  for (size_t I = 0; I < Step.size(); ++I) {
    if (Step[I] != '$' || I + 1 == Step.size()) {
      Text += Step[I];
      continue;
    }
    char Name = Step[++I];
    if (isDigit(Name)) {
      Text += "%m" + std::to_string(Chain * 8 + (Name - '0'));
      continue;
    }
    Text += '%';
    Text += Name;
    bool PerChain = StringRef("dtuwpv").contains(Name);
    if (PerChain)
      Text += std::to_string(Chain);
  }
  return Text;
}

static TimedKernel arithmeticKernel(const ArithmeticSpec &Spec, unsigned Ilp) {
  TimedKernel K;
  K.Name = arithmeticKernelName(Ilp);
  K.MaxThreads = Spec.MaxWarps >= 32 ? 1024 : Spec.MaxWarps * 32;
  K.MinBlocks = Spec.MaxWarps > 32 ? 2 : 1;
  std::string Type = ".b" + std::to_string(Spec.Width);
  K.Declarations = "  .reg " + Type +
                   " %d<8>, %a, %b, %c, %e, %f, %g, %h;\n"
                   "  .reg .b32 %t<8>, %u<8>, %s, %v<8>;\n"
                   "  .reg .b64 %w<8>, %in64, %acc;\n"
                   "  .reg .b32 %m<64>;\n"
                   "  .reg .pred %p<8>, %q, %r;\n";
  bool Shared = StringRef(Spec.Setup).contains("smem");
  if (Shared)
    K.Declarations += "  .shared .align 16 .b8 smem[16384];\n";

  bool UsesChain = StringRef(Spec.Steps.front()).contains("$v");
  bool UsesMatrix = StringRef(Spec.Steps.front()).contains("$0");

  auto Load = [&](const std::string &Register, unsigned Word) {
    std::string At = "[%kin+" + std::to_string(Word * 8) + "];\n";
    return "  ld.global" + Type + " " + Register + ", " + At;
  };
  for (unsigned I = 0; I < Ilp; ++I)
    K.Prologue += Load("%d" + std::to_string(I), I);
  unsigned Word = 8;
  for (const char *Name : {"%a", "%b", "%c", "%e", "%f", "%g", "%h"})
    K.Prologue += Load(Name, Word++);
  // Compared with the warp's number so that they are not uniform registers.
  K.Prologue += "  setp.ne.u64 %q, %kgwarp, %ky;\n"
                "  setp.eq.u64 %r, %kgwarp, %kz;\n";
  for (unsigned I = 0; I < Ilp; ++I) {
    std::string N = std::to_string(I);
    K.Prologue += "  setp.ne.u64 %p" + N + ", %kgwarp, " + N + ";\n";
    if (UsesMatrix)
      for (unsigned R = 0; R < 8; ++R)
        K.Prologue +=
            "  cvt.u32.u64 %m" + std::to_string(I * 8 + R) + ", %kx;\n";
    if (Spec.Width == 64)
      K.Prologue += "  mov.b64 %w" + N + ", %kx;\n";
  }
  K.Prologue += replaceAll(Spec.Setup, "$FILL", "$" + K.Name + "_FILL");

  for (unsigned Step = 0; Step < Spec.Unroll / Ilp; ++Step)
    for (unsigned Chain = 0; Chain < Ilp; ++Chain)
      K.Body += "  " +
                instantiate(Spec.Steps[Step % Spec.Steps.size()], Chain) + "\n";

  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  for (unsigned I = 0; I < Ilp; ++I) {
    std::string N = std::to_string(I);
    if (Spec.Width == 64)
      K.Epilogue += "  mov.b64 %acc, %d" + N + ";\n";
    else
      K.Epilogue +=
          "  cvt.u64.u" + std::to_string(Spec.Width) + " %acc, %d" + N + ";\n";
    K.Epilogue += "  xor.b64 %ksink, %ksink, %acc;\n";
    if (UsesMatrix)
      K.Epilogue += "  cvt.u64.u32 %acc, %m" + std::to_string(I * 8) +
                    ";\n  xor.b64 %ksink, %ksink, %acc;\n";
    if (Spec.Width == 64)
      K.Epilogue += "  xor.b64 %ksink, %ksink, %w" + N + ";\n";
    if (UsesChain)
      K.Epilogue +=
          "  cvt.u64.u32 %acc, %v" + N + ";\n  xor.b64 %ksink, %ksink, %acc;\n";
    K.Epilogue += "  selp.b64 %acc, 1, 0, %p" + N +
                  ";\n"
                  "  add.u64 %ksink, %ksink, %acc;\n";
  }
  return K;
}

std::string arithmeticModule(const ArithmeticSpec &Spec, PtxTarget Target) {
  Target.ArchitectureSpecific = Spec.ArchitectureSpecific;
  std::string Text = moduleHeader(Target) + Spec.Module;
  for (unsigned Ilp : IlpSteps)
    if (Ilp <= Spec.MaxIlp)
      Text += timedKernel(arithmeticKernel(Spec, Ilp));
  return Text;
}

std::vector<uint64_t> arithmeticInput(Operands Kind, unsigned Width) {
  std::vector<uint64_t> Words(16);
  for (unsigned I = 0; I < 16; ++I)
    switch (Kind) {
    case Operands::F32:
      Words[I] = llvm::bit_cast<uint32_t>(1.0f);
      break;
    case Operands::F16x2:
      Words[I] = 0x3c003c00;
      break;
    case Operands::BF16x2:
      Words[I] = 0x3f803f80;
      break;
    case Operands::F64:
      Words[I] = llvm::bit_cast<uint64_t>(1.0);
      break;
    case Operands::Int:
      Words[I] = 0x12345679u + I * 0x01010101u;
      break;
    case Operands::Small:
      Words[I] = 1 + I % 8;
      break;
    }
  return Words;
}

} // namespace gpuocc::calibration
