//===- Quantity.cpp - Names of the numbers of a device --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/Quantity.h"

using namespace gpuocc;
using namespace llvm;

static constexpr QuantityInfo QuantityRows[] = {
#define QUANTITY(Enum, Section, Key, Unit, Description)                        \
  {QuantitySection::Section, Key, Unit, Description},
#include "gpuocc/Device/Quantity.def"
};

static constexpr StringLiteral SectionKeys[] = {"chip", "memory", "runtime"};
static_assert(std::size(SectionKeys) == NumQuantitySections);

const QuantityInfo &gpuocc::quantityInfo(Quantity Q) {
  return QuantityRows[size_t(Q)];
}

ArrayRef<QuantityInfo> gpuocc::quantityTable() { return QuantityRows; }

StringRef gpuocc::quantitySectionKey(QuantitySection Section) {
  return SectionKeys[size_t(Section)];
}

std::optional<Quantity> gpuocc::parseQuantity(QuantitySection Section,
                                              StringRef Key) {
  for (size_t I = 0; I != NumQuantities; ++I)
    if (QuantityRows[I].Section == Section && QuantityRows[I].Key == Key)
      return Quantity(I);
  return std::nullopt;
}
