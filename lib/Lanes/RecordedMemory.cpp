//===- RecordedMemory.cpp - What arrays hold at a launch ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordedMemory.h"
#include "ArrayOfAccess.h"

using namespace gpuocc;
using namespace llvm;

RecordedLoads gpuocc::findRecordedLoads(const KernelFacts &Facts,
                                        const Launch &L) {
  RecordedLoads Loads;
  if (L.Memory.empty())
    return Loads;
  for (const MemoryAccess &A : Facts.Accesses) {
    const std::optional<uint64_t> Array =
        A.Kind == AccessKind::Load ? arrayOfAccess(Facts, A) : std::nullopt;
    Loads.push_back(Array && L.Memory.count(unsigned(*Array)) != 0);
  }
  return Loads;
}

RecordedMemory::RecordedMemory(const Launch &L) {
  for (const auto &[Array, File] : L.Memory)
    if (auto Buffer = MemoryBuffer::getFile(File.Value, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false))
      Contents[Array] = std::move(*Buffer);
}

std::optional<uint64_t> RecordedMemory::read(uint64_t Array, uint64_t Offset,
                                             unsigned Bytes) const {
  auto Found = Contents.find(Array);
  if (Found == Contents.end())
    return std::nullopt;
  const StringRef All = Found->second->getBuffer();
  if (Bytes == 0 || Bytes > 8 || Offset > All.size() ||
      All.size() - Offset < Bytes)
    return std::nullopt;
  uint64_t Word = 0;
  for (unsigned Byte = Bytes; Byte-- != 0;)
    Word = Word << 8 | uint8_t(All[Offset + Byte]);
  return Word;
}
