//===- DeriveDevice.h - A device from a measured relative -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers of a GPU that was not measured, from those of a measured relative
/// and the data sheets of both. docs/device-database.md states the rules and
/// what they are worth.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_DERIVEDEVICE_H
#define GPUOCC_DEVICE_DERIVEDEVICE_H

#include "gpuocc/Device/DeviceModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// How a quantity of a device follows from that of its relative.
enum class DerivationRule : uint8_t {
  Own,       ///< not at all: the device's file states it, or it is unknown
  Kept,      ///< the same number: cycles within the SM, sizes of lines, queues
  L1Size,    ///< in proportion to the L1 cache and shared memory of an SM
  L1Time,    ///< cycles of the L1 data stage: inverse to its throughput
  L2Time,    ///< as l2_hit_latency_cycles; without one the time is kept, in ns
  L2Rate,    ///< as l2_read_bytes_per_cycle_sm; without one the rate is kept
  DramTime,  ///< as dram_latency_cycles; without one the time is kept, in ns
  DramRate,  ///< as dram_read_bytes_per_cycle_sm; without one in proportion to
             ///< the bandwidth of the pins, per SM and cycle
  ClockTime, ///< the time is kept, in ns: cycles in proportion to the SM clock
};

/// The rule of \p Q.
DerivationRule derivationRule(Quantity Q);

/// What \p Rule does, for the source of a derived number.
llvm::StringRef derivationText(DerivationRule Rule);

/// \p Own with what it lacks of \p Relative's numbers, each `derived` with the
/// rule in its source; what \p Own states stays as it is.
///
/// Fails when \p Own lacks a number of its data sheet (numbersOfDataSheet) that
/// does not follow from the relative either, or when the units of an SM of
/// either architecture are not known and \p Own is not measured.
llvm::Expected<DeviceModel> deriveDevice(DeviceModel Own,
                                         const DeviceModel &Relative);

/// The quantities that a device's own file has to state for the others to be
/// derived: SMs, clock, bandwidth, sizes of memories.
llvm::ArrayRef<Quantity> numbersOfDataSheet();

/// \p Device with nothing but its name, its architecture and the numbers of its
/// data sheet: what deriveDevice() is given where the rules are to be compared
/// with what is known better.
DeviceModel dataSheetOf(const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_DERIVEDEVICE_H
