//===- LiftPtx.h - PTX to LLVM IR ------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READPTX_LIFTPTX_H
#define GPUOCC_READPTX_LIFTPTX_H

#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace gpuocc {

/// What a lifted module is for.
enum class LiftedFor : uint8_t {
  Reading,
  /// Addresses of local and constant memory have 64 bits, as those of the host.
  Running
};

/// Makes a module for NVPTX of \p M whose code, selected by the backend without
/// optimization of the IR, is that of \p M: registers are values, branches and
/// loops as they stand, lines of the source debug locations. Instructions that
/// LLVM has no form for become inline assembly. It is there to be looked at:
/// initial values of variables and the order of memory are left out.
///
/// Fails, with one line that says where, when \p M names registers, labels or
/// variables that it does not declare.
llvm::Expected<std::unique_ptr<llvm::Module>>
liftPtx(const PtxModule &M, llvm::LLVMContext &Context,
        LiftedFor Use = LiftedFor::Reading);

} // namespace gpuocc

#endif // GPUOCC_READPTX_LIFTPTX_H
