//===- SassChecks.cpp - Microkernels are what they claim to be ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassChecks.h"
#include "stats/Encodings.h"
#include "stats/MachineCode.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

SassVerdict judge(const Microkernels &M, StringRef Sass) {
  SassVerdict V{M.Key, M.Claim, {}, ""};
  double Furthest = -1, Expected = M.Claim.Count;
  for (const auto &[Index, Entry] : enumerate(M.Entries)) {
    const SassClaim &Claim =
        M.EntryClaims.empty() ? M.Claim : M.EntryClaims[Index];
    LoopCount Count = Claim.WholeKernel
                          ? countKernel(Sass, Entry, Claim.Opcodes)
                          : countLoop(Sass, Entry, Claim.Opcodes);
    double Distance = std::fabs(Count.Found - Claim.Count);
    if (Distance <= Furthest)
      continue;
    Furthest = Distance;
    V.Worst = Count;
    Expected = Claim.Count;
    if (!M.EntryClaims.empty())
      V.Claim = Claim;
  }
  // Kernels of local memory claim what would be a spill elsewhere.
  StringRef Claimed = M.Claim.Opcodes;
  if (Claimed.starts_with("LDL") || Claimed.starts_with("STL"))
    V.Worst.Spills = false;
  V.Text = V.Worst.verdict(Expected);
  return V;
}

SassVerdict judgeNumbers(const Microkernels &M, StringRef Cubin) {
  SassVerdict V{M.Key, M.Claim, {}, "as claimed"};
  double Furthest = -1;
  for (const auto &[Index, Entry] : enumerate(M.Entries)) {
    const SassClaim &Claim =
        M.EntryClaims.empty() ? M.Claim : M.EntryClaims[Index];
    std::set<unsigned> Numbers = encodingsOf(Claim.Opcodes);
    if (Numbers.empty()) {
      if (Furthest < 0)
        V.Text = NotKnownByNumber;
      continue;
    }
    double Found = count_if(instructionsOf(Cubin, Entry),
                            [&](const EncodedInstruction &I) {
                              return Numbers.count(I.Opcode) != 0;
                            });
    double Missing = std::max(0.0, Claim.Count - Found);
    if (Missing <= Furthest)
      continue;
    Furthest = Missing;
    V.Claim = Claim;
    V.Worst.Found = Found;
    V.Text = Missing == 0 ? "as claimed"
             : Found == 0 ? "opcode not found"
                          : "another count";
  }
  return V;
}

void SassChecks::start(const Microkernels &M,
                       std::function<Expected<std::vector<char>>()> Compile) {
  Results.push_back(std::make_unique<std::optional<SassVerdict>>());
  std::optional<SassVerdict> *Result = Results.back().get();
  Pool.async([this, Result, M, Compile = std::move(Compile)] {
    Expected<std::vector<char>> Code = Compile();
    if (!Code)
      return consumeError(Code.takeError());
    Expected<std::string> Text = disassemble(Tool, *Code);
    if (!Text)
      return consumeError(Text.takeError());
    *Result = judge(M, *Text);
  });
}

std::vector<SassVerdict> SassChecks::finish() {
  Pool.wait();
  std::vector<SassVerdict> Verdicts;
  for (auto &Result : Results)
    if (*Result)
      Verdicts.push_back(std::move(**Result));
  Results.clear();
  return Verdicts;
}

} // namespace gpuocc::calibration
