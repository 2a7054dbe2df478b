//===- exhibit.h - What every exhibit works on ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

constexpr int Count = 1 << 24; // elements of each array, 64 MiB of floats

struct Arrays {
  float *A, *B, *C; // values in [0.5, 1.5)
  int *Links;       // a permutation of [0, Count)
  int *Small;       // values in [0, 64)
  double *D;        // Count / 2 values in [0.5, 1.5)
  int *Flag;        // zeros, as many as Small
};
