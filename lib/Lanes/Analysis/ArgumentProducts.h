//===- ArgumentProducts.h - Arguments that are multiplied -------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_ARGUMENTPRODUCTS_H
#define GPUOCC_LIB_LANES_ANALYSIS_ARGUMENTPRODUCTS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <map>

namespace gpuocc {

/// Of each parameter of 32 bits, by its offset: of how many parameters the
/// largest product of 32 bits is made that it is a factor of, sums and
/// quotients of it with others included. Those of no product with others are
/// left out.
std::map<int64_t, unsigned> argumentsOfProducts(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_ARGUMENTPRODUCTS_H
