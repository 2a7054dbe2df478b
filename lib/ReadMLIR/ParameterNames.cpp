//===- ParameterNames.cpp - What lowering makes of arguments --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParameterNames.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace gpuocc;
using namespace mlir;

/// The fields of a descriptor (MemRefDescriptor of MLIR), without the name.
static std::vector<std::string> fieldsOf(Type T) {
  if (isa<UnrankedMemRefType>(T))
    return {".rank", ".descriptor"};
  std::vector<std::string> Fields = {".base", ".aligned", ".offset"};
  const int64_t Rank = cast<MemRefType>(T).getRank();
  for (const char *What : {".size", ".stride"})
    for (int64_t D = 0; D != Rank; ++D)
      Fields.push_back(What + std::to_string(D));
  return Fields;
}

std::vector<std::string> gpuocc::parameterNames(Operation *Kernel,
                                                bool BarePointers) {
  std::vector<std::string> Names;
  auto Function = dyn_cast<FunctionOpInterface>(Kernel);
  if (!Function || Function.isExternal())
    return Names;
  // Behind the arguments of gpu.func stand its arrays in shared memory.
  for (unsigned I = 0, E = Function.getArgumentTypes().size(); I != E; ++I) {
    const BlockArgument Argument = Function.getArgument(I);
    std::string Name = "arg" + std::to_string(I);
    if (auto Named = dyn_cast<NameLoc>(Argument.getLoc()))
      Name = Named.getName().str();
    if (!BarePointers && isa<BaseMemRefType>(Argument.getType()))
      for (const std::string &Field : fieldsOf(Argument.getType()))
        Names.push_back(Name + Field);
    else
      Names.push_back(std::move(Name));
  }
  return Names;
}
