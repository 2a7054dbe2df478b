//===- WriteWorksheet.h - How the numbers come about -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEWORKSHEET_H
#define GPUOCC_VIEWS_WRITEWORKSHEET_H

#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

struct KernelReport;

struct WorksheetOptions {
  /// Columns that drawings may take.
  unsigned Columns = 80;
};

/// Writes the calculation behind \p K: the throughput bounds with every term
/// (in the form of Volkov 2016, Tables 3.2 to 3.4), the longest path of one
/// warp with source lines (Fig. 3.5), its parallelism and dependency chain,
/// throughput over warps, the occupancy roofline (Lemeire et al. 2016),
/// achieved rates, the instruction roofline (Ding and Williams 2019), and what
/// was assumed.
llvm::Error writeWorksheet(const KernelReport &K,
                           const WorksheetOptions &Options,
                           llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEWORKSHEET_H
