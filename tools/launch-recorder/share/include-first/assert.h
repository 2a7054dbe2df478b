//===- assert.h - Assertions that hold --------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs assert of the results of kernels cannot hold where none runs.
// The condition is evaluated, for what it does beside; with NDEBUG it need not
// even compile. Like its namesake this has no guard.
//
//===----------------------------------------------------------------------===//

#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ((void)(__VA_ARGS__))
#endif

#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
