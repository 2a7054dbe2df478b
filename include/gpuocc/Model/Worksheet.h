//===- Worksheet.h - Throughput bounds by resource --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_WORKSHEET_H
#define GPUOCC_MODEL_WORKSHEET_H

#include "gpuocc/Model/Prediction.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// Collects uses of resources and sums them into bounds.
///
///   bound of a resource = sum over its uses of count x exclusive cycles
///
/// Source: Volkov 2016, section 3.6, Table 3.4.
class Worksheet {
public:
  /// Adds \p CountPerWarp uses of \p R that hold it for \p CyclesEach SM
  /// cycles. Zero counts are dropped; uses with the same words add up.
  void use(Resource R, std::string What, double CountPerWarp,
           double CyclesEach);

  double cycles(Resource R) const;

  /// The resources in use, largest bound first, ties in Resource.def order.
  std::vector<Bound> bounds() const;

private:
  PerResource<std::vector<BoundTerm>> Terms;
};

/// Highest warp throughput that \p Bounds allow, in warps per cycle and SM;
/// infinite when nothing is in use.
double warpThroughputBound(llvm::ArrayRef<Bound> Bounds);

} // namespace gpuocc

#endif // GPUOCC_MODEL_WORKSHEET_H
