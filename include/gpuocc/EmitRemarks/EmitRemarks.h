//===- EmitRemarks.h - Reports as optimization remarks ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_EMITREMARKS_EMITREMARKS_H
#define GPUOCC_EMITREMARKS_EMITREMARKS_H

#include "gpuocc/Report/Report.h"

namespace llvm {
class LLVMContext;
class LLVMRemarkStreamer;
class Module;
} // namespace llvm

namespace gpuocc {

/// The pass name that -Rpass= matches.
constexpr llvm::StringLiteral RemarkPassName = "gpu-occupancy";

/// True when somebody listens: a -Rpass option that matches RemarkPassName, or
/// an optimization record.
bool wantsRemarks(llvm::LLVMContext &Context);

/// Emits the findings of \p R, at most \p MaxFindings costly ones a kernel (0
/// is no limit), as remarks of the kernels in \p M, to its context and to
/// \p Beside, a further record, if there is one. Kernels that \p M lacks are
/// left out. Nothing that is emitted for \p M later changes.
void emitRemarks(const Report &R, llvm::Module &M, unsigned MaxFindings,
                 llvm::LLVMRemarkStreamer *Beside = nullptr);

/// Emits in the same way a missed remark NotAnalyzed with \p Text for the
/// kernel named \p Kernel in \p M, if there is one; for the first kernel when
/// the name is empty.
void emitNotAnalyzed(llvm::Module &M, llvm::StringRef Kernel,
                     llvm::StringRef Text,
                     llvm::LLVMRemarkStreamer *Beside = nullptr);

} // namespace gpuocc

#endif // GPUOCC_EMITREMARKS_EMITREMARKS_H
