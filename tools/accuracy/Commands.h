//===- Commands.h - Subcommands ---------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_COMMANDS_H
#define GPUOCC_TOOLS_ACCURACY_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Each runs one subcommand with the arguments that follow its name; `--help`
/// among them prints its options.
llvm::Error runAblate(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runAdvice(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runAlpha(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runMonotone(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runKernels(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runPublished(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runRegisters(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runSuites(llvm::ArrayRef<llvm::StringRef> Arguments);

/// gpu-occupancy-accuracy pairs: gains of mended findings.
llvm::Error runPairs(llvm::ArrayRef<llvm::StringRef> Arguments);

/// gpu-occupancy-accuracy streams: streams of short blocks over occupancy.
llvm::Error runStreams(llvm::ArrayRef<llvm::StringRef> Arguments);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_COMMANDS_H
