//===- InstTraits.cpp - Properties of instruction classes -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/InstTraits.h"
#include "gpuocc/Support/InstClasses.h"

using namespace gpuocc;

static constexpr PerInstClass<uint8_t> makeTable() {
  using enum InstTrait::Flag;
  PerInstClass<uint8_t> Table = {};
#define INST_TRAITS(Class, Traits) Table[size_t(InstClass::Class)] = Traits;
#include "gpuocc/Support/InstTraits.def"
  return Table;
}

static constexpr PerInstClass<uint8_t> Table = makeTable();

unsigned gpuocc::warpGroupColumns(InstClass C) {
  switch (C) {
  case InstClass::WgmmaN8:
    return 8;
  case InstClass::WgmmaN16:
    return 16;
  case InstClass::WgmmaN32:
    return 32;
  case InstClass::WgmmaN64:
    return 64;
  case InstClass::WgmmaN128:
    return 128;
  case InstClass::WgmmaN256:
    return 256;
  default:
    return 0;
  }
}

bool gpuocc::hasTrait(InstClass C, InstTrait::Flag Trait) {
  return Table[size_t(C)] & Trait;
}
