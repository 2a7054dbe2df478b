//===- Worksheet.h - Throughput bounds by resource --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_WORKSHEET_H
#define GPUOCC_MODEL_WORKSHEET_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Model/Prediction.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpuocc {

/// What uses a resource. Thousands of them are compared for each one that
/// somebody reads, so that the sentence is made on request.
struct UseLabel {
  /// A memory access of the source; Line 0 is unknown.
  struct Access {
    MemorySpace Space;
    AccessKind Kind;
    unsigned Line;
    bool operator==(const Access &) const = default;
  };

  /// \p Text, such as a literal, must outlive the label.
  UseLabel(llvm::StringRef Text) : Text(Text) {}
  UseLabel(const char *Text) : Text(Text) {}
  UseLabel(Access Of, llvm::StringRef Text) : Of(Of), Text(Text) {}

  /// "global load at line 12 (read)", with " (read)" as Text.
  std::string str() const;

  bool operator==(const UseLabel &) const = default;

  std::optional<Access> Of;
  llvm::StringRef Text;
};

/// Collects uses of resources and sums them into bounds.
///
///   bound of a resource = sum over its uses of count x exclusive cycles
///
/// Source: Volkov 2016, section 3.6, Table 3.4.
class Worksheet {
public:
  /// Adds \p CountPerWarp uses of \p R that hold it for \p CyclesEach SM
  /// cycles. Zero counts are dropped; uses with the same words add up.
  void use(Resource R, const UseLabel &What, double CountPerWarp,
           double CyclesEach);

  double cycles(Resource R) const;

  /// The resources in use, largest bound first, ties in Resource.def order.
  /// Their terms only if asked for.
  std::vector<Bound> bounds(bool WithTerms = true) const;

private:
  struct Term {
    UseLabel What;
    double CountPerWarp, CyclesEach;
    double cycles() const { return CountPerWarp * CyclesEach; }
  };
  PerResource<std::vector<Term>> Terms;
  /// By a hash of resource, words and cycles: nearly always one term.
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint32_t, 1>> ByHash;
};

/// Highest warp throughput that \p Bounds allow, in warps per cycle and SM;
/// infinite when nothing is in use.
double warpThroughputBound(llvm::ArrayRef<Bound> Bounds);

} // namespace gpuocc

#endif // GPUOCC_MODEL_WORKSHEET_H
