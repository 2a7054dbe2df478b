//===- SwitchedNumbers.cpp - Devices without some numbers -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/SwitchedNumbers.h"

using namespace gpuocc;

/// The numbers that a mechanism lives on.
static constexpr std::pair<Mechanism, Quantity> NumbersOfMechanisms[] = {
    {Mechanism::DramWriteDelay, Quantity::DramWriteDelay},
    {Mechanism::DramTurnaround, Quantity::DramCopyBytesPerCycle},
    {Mechanism::DramTurnaround, Quantity::DramTriadBytesPerCycle},
    {Mechanism::LoneSectors, Quantity::DramRandomSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::DramStridedSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::DramPairedSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::DramStridedWriteSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::DramRandomWriteSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::L2RandomSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::L2RandomWriteSectorsPerCycle},
    {Mechanism::LoneSectors, Quantity::L2PartialWriteSectorsPerCycle},
    {Mechanism::L2Fill, Quantity::L2FillBytesPerCycle},
    {Mechanism::L2Merging, Quantity::L2MergedReadBytesPerCycle},
    {Mechanism::ShareOfOneSm, Quantity::L2ReadBytesPerCycleOneSm},
    {Mechanism::ShareOfOneSm, Quantity::DramReadBytesPerCycleOneSm},
    {Mechanism::TagBanks, Quantity::L1TagBankLowMask},
    {Mechanism::TagBanks, Quantity::L1TagBankHighMask},
    {Mechanism::WideShared, Quantity::SharedLatency64},
    {Mechanism::WideShared, Quantity::SharedLatency128},
    {Mechanism::LatencyVariance, Quantity::L2LatencyDeviation},
    {Mechanism::LatencyVariance, Quantity::DramLatencyDeviation},
    {Mechanism::LatencyVariance, Quantity::DramNeighborDeviation},
    {Mechanism::DramNeighbors, Quantity::DramNeighborDeviation},
    {Mechanism::DramNeighbors, Quantity::DramNeighborBytes},
    {Mechanism::InstructionFetch, Quantity::InstructionL0Bytes},
    {Mechanism::InstructionFetch, Quantity::InstructionL1Bytes},
    {Mechanism::DualIssue, Quantity::IssueWidth},
    {Mechanism::OperandReads, Quantity::RegisterReads},
    {Mechanism::QueuedCalls, Quantity::PrintfLane},
    {Mechanism::QueuedCalls, Quantity::PrintfQueue},
    {Mechanism::QueuedCalls, Quantity::PrintfQueueLane},
    {Mechanism::QueuedCalls, Quantity::MallocLane},
    {Mechanism::QueuedCalls, Quantity::MallocQueue},
    {Mechanism::QueuedCalls, Quantity::MallocQueueLane},
    {Mechanism::QueuedCalls, Quantity::FreeLane},
    {Mechanism::QueuedCalls, Quantity::FreeQueue},
    {Mechanism::QueuedCalls, Quantity::FreeQueueLane},
    {Mechanism::TensorClock, Quantity::SmClockTensorMhz},
    {Mechanism::HostMemory, Quantity::HostMemoryLatency},
    {Mechanism::BlockStarts, Quantity::BlockLaunch},
    {Mechanism::FirstBlocks, Quantity::FirstBlocksOnFullestSm},
    {Mechanism::ColdStart, Quantity::ColdStart},
};

DeviceModel gpuocc::withNumbersOf(DeviceModel Device, const Mechanisms &Used) {
  for (const auto &[M, Q] : NumbersOfMechanisms)
    if (!Used.has(M))
      Device.Quantities.erase(Q);
  if (!Used.has(Mechanism::MemoryContention))
    Device.Contention.clear();
  if (!Used.has(Mechanism::PairLatencies)) {
    Device.Dependences.clear();
    Device.Tables.erase(CrossClassLatencyTable.str());
  }
  return Device;
}
