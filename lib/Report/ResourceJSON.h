//===- ResourceJSON.h - Words of resources and classes ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_REPORT_RESOURCEJSON_H
#define GPUOCC_LIB_REPORT_RESOURCEJSON_H

#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/JSONFields.h"

namespace gpuocc {

template <> struct JSONWords<Resource> {
  static constexpr unsigned Count = NumResources;
  static llvm::StringRef text(Resource R) { return resourceKey(R); }
};

template <> struct JSONWords<InstClass> {
  static constexpr unsigned Count = NumInstClasses;
  static llvm::StringRef text(InstClass C) { return instClassKey(C); }
};

} // namespace gpuocc

#endif // GPUOCC_LIB_REPORT_RESOURCEJSON_H
