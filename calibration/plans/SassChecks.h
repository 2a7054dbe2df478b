//===- SassChecks.h - Microkernels are what they claim to be ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Disassembles the microkernels of a run beside its measurements and compares
/// their machine code with what they claim.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_SASSCHECKS_H
#define GPUOCC_CALIBRATION_PLANS_SASSCHECKS_H

#include "kernels/Ptx.h"
#include "stats/Sass.h"
#include "llvm/Support/ThreadPool.h"
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace gpuocc::calibration {

/// A module of microkernels.
struct Microkernels {
  std::string Key; ///< Instruction class, or name of the kernel.
  std::vector<std::string> Entries;
  std::string Ptx;
  SassClaim Claim; ///< What all entries claim.
  /// Where entries claim different instructions: one for each; Claim then
  /// stands for them in reports.
  std::vector<SassClaim> EntryClaims = {};
};

/// What the machine code of a module holds.
struct SassVerdict {
  std::string Key;
  SassClaim Claim;
  LoopCount Worst; ///< Of the entry that is furthest from the claim.
  std::string Text;
  bool asClaimed() const { return Text == "as claimed"; }
};

/// Compares the disassembly \p Sass of \p M with its claim.
SassVerdict judge(const Microkernels &M, llvm::StringRef Sass);

inline constexpr const char *NotKnownByNumber = "not known by number";

/// Compares the machine code \p Cubin of \p M with its claim by the numbers of
/// opcodes: whether each entry holds as many as claimed, or more, since what is
/// outside its loop counts as well. NotKnownByNumber where an opcode is
/// not in the table.
SassVerdict judgeNumbers(const Microkernels &M, llvm::StringRef Cubin);

class SassChecks {
public:
  /// \p Disassembler is the path of nvdisasm; empty: nothing is checked.
  explicit SassChecks(std::string Disassembler)
      : Tool(std::move(Disassembler)) {}
  ~SassChecks() { Pool.wait(); }

  bool enabled() const { return !Tool.empty(); }
  /// Begins to check \p M on a thread, where \p Compile makes its machine code.
  void start(const Microkernels &M,
             std::function<llvm::Expected<std::vector<char>>()> Compile);
  /// Waits for what was begun; verdicts in the order of start(). What could not
  /// be compiled or disassembled is left out.
  std::vector<SassVerdict> finish();

private:
  std::string Tool;
  std::vector<std::unique_ptr<std::optional<SassVerdict>>> Results;
  /// Leaves the measurements a processor or two.
  llvm::StdThreadPool Pool{llvm::hardware_concurrency(
      std::max(3u, std::thread::hardware_concurrency()) - 2)};
};

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_SASSCHECKS_H
