//===- RegisterFiles.cpp - Registers of an architecture -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/RegisterFiles.h"

using namespace gpuocc;

RegisterFile gpuocc::registerFile(const ArchLimits &Limits) {
  RegisterFile File;
  File.RegistersPerSm = Limits.RegistersPerSm.value_or(File.RegistersPerSm);
  File.WarpsPerSm = Limits.MaxWarpsPerSm.value_or(File.WarpsPerSm);
  File.AllocationUnit =
      Limits.RegisterAllocationUnit.value_or(File.AllocationUnit);
  File.MostPerThread =
      Limits.MaxRegistersPerThread.value_or(File.MostPerThread);
  return File;
}
