//===- StreamPoints.h - Streams of short blocks ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_STREAMPOINTS_H
#define GPUOCC_TOOLS_ACCURACY_STREAMPOINTS_H

#include "RecordTable.h"
#include "gpuocc/Support/Mechanism.h"

namespace gpuocc {

struct DeviceModel;
struct FactsFile;

/// One measured point.
struct StreamPoint {
  std::string Kernel;
  uint64_t Block = 0, BlocksPerSm = 0, Elements = 0;
  double DramPeak = 0, Measured = 0, Predicted = 0;
};

/// Reads a table of measured bandwidths.
llvm::Expected<RecordTable> readStreams(llvm::StringRef Path);

/// The points of \p Table, with what \p Device, whose memory is as fast as that
/// of each point, is predicted to reach with the kernels of \p File.
llvm::Expected<std::vector<StreamPoint>>
predictStreams(const RecordTable &Table, const FactsFile &File,
               const DeviceModel &Device, const Mechanisms &Used);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_STREAMPOINTS_H
