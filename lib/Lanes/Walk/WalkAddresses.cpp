//===- WalkAddresses.cpp - Where objects lie in a walk --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WalkAddresses.h"
#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/DeviceAddresses.h"

using namespace gpuocc;

namespace {

/// First windows of the kinds of objects.
enum Window : uint64_t {
  SharedWindow = 1,
  LocalWindow = 2,
  FirstSymbolWindow = 16,
  FirstParameterWindow = 1 << 12,
  FirstLoadedWindow = 1 << 16,
  /// Of pointers whose values were seen: the addresses of the run lie behind.
  SeenWindow = 1 << 20
};

/// Windows that a parameter has, one for each 8 bytes of it.
constexpr uint64_t MembersPerParameter = 256;

uint64_t windowStart(uint64_t Window) { return Window << ObjectWindowLog2; }

} // namespace

uint64_t gpuocc::sharedStart() { return windowStart(SharedWindow); }

uint64_t gpuocc::localStart() { return windowStart(LocalWindow); }

uint64_t gpuocc::symbolStart(uint32_t Symbol) {
  return windowStart(FirstSymbolWindow + Symbol);
}

uint64_t gpuocc::memberStart(unsigned Parameter, uint64_t Inside) {
  return windowStart(FirstParameterWindow +
                     uint64_t(Parameter) * MembersPerParameter +
                     Inside / 8 % MembersPerParameter);
}

uint64_t gpuocc::loadedPointer(uint64_t Key) {
  return windowStart(FirstLoadedWindow + (scramble(Key) & 0xffff));
}

uint64_t gpuocc::pointerWhenSeen(uint64_t Address) {
  return Address >= FirstDeviceAddress && Address < EndOfDevice
             ? windowStart(SeenWindow) + Address
             : Address;
}

std::optional<SymbolByte> gpuocc::symbolAt(const KernelFacts &Facts,
                                           uint64_t Address) {
  const uint64_t Symbol = (Address >> ObjectWindowLog2) - FirstSymbolWindow;
  if (Symbol >= Facts.Symbols.size())
    return std::nullopt;
  return SymbolByte{uint32_t(Symbol), Address - symbolStart(uint32_t(Symbol))};
}

std::optional<ArrayByte> gpuocc::arrayAt(const KernelFacts &Facts,
                                         uint64_t Address) {
  const uint64_t Window = Address >> ObjectWindowLog2;
  if (Window < FirstParameterWindow || Window >= FirstLoadedWindow)
    return std::nullopt;
  const uint64_t Member = Window - FirstParameterWindow;
  const uint64_t Parameter = Member / MembersPerParameter;
  if (Parameter >= Facts.Parameters.size())
    return std::nullopt;
  return ArrayByte{Facts.Parameters[Parameter].OffsetBytes +
                       Member % MembersPerParameter * 8,
                   Address - windowStart(Window)};
}

std::optional<uint64_t> gpuocc::seenAddress(uint64_t Address) {
  if (Address < windowStart(SeenWindow))
    return std::nullopt;
  return Address - windowStart(SeenWindow);
}
