//===- gpuocc_host_shared.h - Shared variables in host code ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before host code in which clang refuses `extern __shared__ S s;`,
// since S is no array without bounds. Only kernels use such variables, and
// their bodies are not compiled for the host.
//
//===----------------------------------------------------------------------===//

#undef __shared__
#define __shared__
