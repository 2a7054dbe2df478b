//===- OutputView.h - Views for an output -----------------------*- C++ -*-===//
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPU_OCCUPANCY_OUTPUTVIEW_H
#define GPUOCC_TOOLS_GPU_OCCUPANCY_OUTPUTVIEW_H

#include "gpuocc/Views/ReportView.h"

namespace gpuocc {

/// \p View with what the machine says of paths, sources and, where \p Output is
/// "-", standard output, of the terminal.
ViewOptions viewForOutput(ViewOptions View, llvm::StringRef Output);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPU_OCCUPANCY_OUTPUTVIEW_H
