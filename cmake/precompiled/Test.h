//===- Test.h - Headers that unit tests include -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parsed once for all unit tests.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_PRECOMPILED_TEST_H
#define GPUOCC_PRECOMPILED_TEST_H

#include "Support.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#endif // GPUOCC_PRECOMPILED_TEST_H
