//===- Quantity.h - Names of the numbers of a device -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The vocabulary of the sections "chip", "memory" and "runtime" of a device
/// database: every quantity with its key, unit and meaning, from Quantity.def.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_DEVICE_QUANTITY_H
#define GPUOCC_DEVICE_QUANTITY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace gpuocc {

/// A section of a device database that maps keys to single numbers.
enum class QuantitySection : uint8_t { Chip, Memory, Runtime };

/// Number of values of QuantitySection.
constexpr unsigned NumQuantitySections = 3;

/// A named number of a device. Rows of Quantity.def.
enum class Quantity : uint8_t {
#define QUANTITY(Enum, Section, Key, Unit, Description) Enum,
#include "gpuocc/Device/Quantity.def"
};

/// Number of rows in Quantity.def.
constexpr unsigned NumQuantities = 0
#define QUANTITY(Enum, Section, Key, Unit, Description) +1
#include "gpuocc/Device/Quantity.def"
    ;

/// One row of Quantity.def.
struct QuantityInfo {
  QuantitySection Section;
  llvm::StringLiteral Key;
  llvm::StringLiteral Unit;
  llvm::StringLiteral Description;
};

/// The row of \p Q.
const QuantityInfo &quantityInfo(Quantity Q);

/// All rows, in the order of the enumeration.
llvm::ArrayRef<QuantityInfo> quantityTable();

/// The key of \p Section in databases: "chip", "memory" or "runtime".
llvm::StringRef quantitySectionKey(QuantitySection Section);

/// The quantity named \p Key in \p Section, or nothing.
std::optional<Quantity> parseQuantity(QuantitySection Section,
                                      llvm::StringRef Key);

} // namespace gpuocc

#endif // GPUOCC_DEVICE_QUANTITY_H
