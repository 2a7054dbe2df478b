//===- RuntimeExit.cpp - Programs that give up go on ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What host code calls in place of exit (share/GoesOn.h).
///
//===----------------------------------------------------------------------===//

#include <cstdlib>

/// So often a program may fail before it is believed.
static constexpr unsigned MostFailures = 1000;

extern "C" void gpuoccExit(int Status) {
  static unsigned NumFailures = 0;
  if (Status == EXIT_SUCCESS || ++NumFailures == MostFailures)
    std::exit(Status);
}
