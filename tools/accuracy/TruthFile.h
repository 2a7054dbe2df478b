//===- TruthFile.h - Measured kernels ---------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_TRUTHFILE_H
#define GPUOCC_TOOLS_ACCURACY_TRUTHFILE_H

#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// Memory instructions of one kind that one source line became.
struct TruthAccess {
  /// "global", "shared", "local", "global->shared".
  std::string Space;
  /// "ld", "st", "atom", "red", "ldgsts".
  std::string Op;
  /// Executions over the grid, those without an active lane included.
  double WarpInstructions = 0;
  /// Means over WarpInstructions.
  std::optional<double> SectorsPerInst, WavefrontsPerInst;
  /// The fewest that the active lanes and the width need.
  std::optional<double> IdealSectorsPerInst, IdealWavefrontsPerInst;
};

/// Branch instructions that one source line became.
struct TruthBranch {
  /// "BRA", "EXIT".
  std::string Op;
  double WarpInstructions = 0;
  /// Of its SASS instructions, how many are predicated.
  unsigned NumPredicated = 0;
  std::optional<double> DivergentFraction, TakenLaneFraction;
};

/// A source line with memory accesses or branches.
struct TruthLine {
  std::string File;
  unsigned Line = 0;
  std::vector<TruthAccess> Accesses;
  std::vector<TruthBranch> Branches;
};

/// One kernel launch measured with hardware counters.
struct TruthCase {
  /// SUITE/PROGRAM/KERNEL[#VARIANT][@clang].
  std::string Id;
  std::string Suite, Program;
  /// "github.com/OWNER/NAME".
  std::string Repository;
  /// Sources, relative to the repository.
  std::vector<std::string> Files;
  std::string KernelName, MangledName;
  /// "nvcc" or "clang".
  std::string Compiler;
  std::string Flags;
  /// What the program was given on its command line.
  std::string ProgramArguments;
  Dim3 Grid, Block;
  uint64_t DynamicSharedBytes = 0;

  unsigned RegistersPerThread = 0;
  /// What ptxas gave clang's build of the same kernel, for nvcc cases.
  std::optional<unsigned> ClangRegisters;
  double TheoreticalWarps = 0, AchievedWarps = 0;
  double DurationNs = 0;
  double WarpInstructions = 0;
  /// Executed warp instructions by opcode.
  std::map<std::string, double> Opcodes;
  /// "memory: DRAM 64%".
  std::string Limiter;
  /// Sectors of 32 bytes that reached L2, all kinds.
  double L2Sectors = 0;
  double L1HitPercent = 0, L2HitPercent = 0;
  double DramReadBytes = 0, DramWriteBytes = 0;
  double IssueBusyPercent = 0;
  /// Reason to average warps stalled for it per issue.
  std::map<std::string, double> Stalls;
  std::vector<TruthLine> Lines;

  bool isClangBuild() const { return Compiler == "clang"; }
  /// Warps of the grid.
  double numWarps() const {
    return double(Grid.count()) * double((Block.count() + 31) / 32);
  }
  /// Id without "@clang": the same for both builds.
  llvm::StringRef key() const;
  /// What follows '#', without "@clang"; empty when nothing does.
  llvm::StringRef variant() const;
};

/// Reads the cases of a file in the format of a truth folder (a JSON array).
/// The error names \p FileName and the place.
llvm::Expected<std::vector<TruthCase>> parseTruthFile(llvm::StringRef Text,
                                                      llvm::StringRef FileName);

/// Reads every *.json of \p Folder, in the order of their names. Fails when
/// there is none.
llvm::Expected<std::vector<TruthCase>> loadTruth(llvm::StringRef Folder);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_TRUTHFILE_H
