//===- Sass.h - Opcodes of a loop in a disassembly -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks that a microkernel is what it claims to be: the opcodes of its loop,
/// counted in the text of nvdisasm.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_SASS_H
#define GPUOCC_CALIBRATION_STATS_SASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc::calibration {

struct LoopCount {
  double Found = 0;         ///< Instructions of the claimed opcode in the loop.
  double Others = 0;        ///< All others, loop control included.
  bool Spills = false;      ///< Local loads or stores in the loop.
  double BankConflicts = 0; ///< See hasBankConflict().

  /// "as claimed", or what differs.
  std::string verdict(double Expected) const;
};

/// Whether an instruction with these operands reads three different registers
/// of one bank (even or odd) without the reuse cache.
///
/// Source: Jia et al. 2018, "Dissecting the NVIDIA Volta GPU Architecture via
/// Microbenchmarking": two banks, each two reads a cycle. On an H200 such an
/// FFMA was seen at half rate.
bool hasBankConflict(llvm::StringRef Operands);

/// Counts in the longest loop (a backward branch and what it jumps over) of
/// \p Kernel. \p Opcodes are full mnemonics separated by '|'. All zero when
/// the kernel or the loop is not found.
LoopCount countLoop(llvm::StringRef Disassembly, llvm::StringRef Kernel,
                    llvm::StringRef Opcodes);

/// The same in all of \p Kernel.
LoopCount countKernel(llvm::StringRef Disassembly, llvm::StringRef Kernel,
                      llvm::StringRef Opcodes);

/// The text \p Tool (nvdisasm) prints for machine code.
llvm::Expected<std::string> disassemble(llvm::StringRef Tool,
                                        llvm::ArrayRef<char> Code);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_SASS_H
