//===- gpuocc_cluster_dims.h - Clusters that kernels ask for ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before sources whose kernels run. Clang 22 takes __cluster_dims__
// and emits nothing for it: an annotation carries the blocks of a cluster to
// llvm.global.annotations, where lib/Execute reads it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CLUSTER_DIMS_H
#define GPUOCC_CLUSTER_DIMS_H

#undef __cluster_dims__
#define __cluster_dims__(...)                                                  \
  __attribute__((annotate("gpuocc.cluster_dims", __VA_ARGS__)))

#endif // GPUOCC_CLUSTER_DIMS_H
