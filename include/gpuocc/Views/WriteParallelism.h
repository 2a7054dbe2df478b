//===- WriteParallelism.h - Parallelism at a terminal -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEPARALLELISM_H
#define GPUOCC_VIEWS_WRITEPARALLELISM_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

struct KernelReport;

/// Writes the parallelism of one warp of \p K, of the kernel and of each loop,
/// and its dependency chain line by line.
void writeParallelism(const KernelReport &K, llvm::raw_ostream &OS);

/// Writes the occupancy roofline of each class of instructions of \p K: issue
/// and completion latency and ridge point by ILP, and the kernel's place.
void writeOccupancyRoofline(const KernelReport &K, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEPARALLELISM_H
