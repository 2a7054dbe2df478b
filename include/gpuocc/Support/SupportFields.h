//===- SupportFields.h - Field lists of this room's types ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lists by which facts and reports write places, classes and resources.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_SUPPORTFIELDS_H
#define GPUOCC_SUPPORT_SUPPORTFIELDS_H

#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/JSONFields.h"
#include "gpuocc/Support/SourceLocation.h"

namespace gpuocc {

template <> struct JSONWords<Resource> {
  static constexpr unsigned Count = NumResources;
  static llvm::StringRef text(Resource R) { return resourceKey(R); }
};

template <> struct JSONWords<InstClass> {
  static constexpr unsigned Count = NumInstClasses;
  static llvm::StringRef text(InstClass C) { return instClassKey(C); }
};

template <> struct JSONFields<SourcePlace> {
  template <typename V> static void visit(V &&Field) {
    Field("file", &SourcePlace::File);
    Field("line", &SourcePlace::Line);
    Field("column", &SourcePlace::Column);
    Field("function", &SourcePlace::Function);
  }
};

template <> struct JSONFields<SourceLocation> {
  template <typename V> static void visit(V &&Field) {
    Field("places", &SourceLocation::Places);
  }
};

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_SUPPORTFIELDS_H
