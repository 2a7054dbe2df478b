//===- InstClass.cpp - Machine instruction classes and resources ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Support/InstClasses.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct ResourceRow {
  StringRef Key, Title;
};
struct ClassRow {
  StringRef Key;
  Resource Pipe;
};
} // namespace

static constexpr ResourceRow ResourceRows[] = {
#define RESOURCE(Enum, Key, Title) {Key, Title},
#include "gpuocc/Support/Resource.def"
};

static constexpr ClassRow ClassRows[] = {
#define INST_CLASS(Enum, Key, Pipe) {Key, Resource::Pipe},
#include "gpuocc/Support/InstClass.def"
};

StringRef gpuocc::resourceKey(Resource R) {
  return ResourceRows[size_t(R)].Key;
}

StringRef gpuocc::resourceTitle(Resource R) {
  return ResourceRows[size_t(R)].Title;
}

std::optional<Resource> gpuocc::parseResource(StringRef Key) {
  for (size_t I = 0; I != NumResources; ++I)
    if (ResourceRows[I].Key == Key)
      return Resource(I);
  return std::nullopt;
}

StringRef gpuocc::instClassKey(InstClass C) { return ClassRows[size_t(C)].Key; }

std::optional<InstClass> gpuocc::parseInstClass(StringRef Key) {
  for (size_t I = 0; I != NumInstClasses; ++I)
    if (ClassRows[I].Key == Key)
      return InstClass(I);
  return std::nullopt;
}

Resource gpuocc::defaultPipe(InstClass C) { return ClassRows[size_t(C)].Pipe; }
