//===- Signature.cpp - Name, parameters and launch bounds -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "LocationTable.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace gpuocc;
using namespace llvm;

/// Up to three comma-separated numbers, as in "nvvm.reqntid"="32,8,1".
static std::array<unsigned, 3> readDims(const Function &F, StringRef Name) {
  std::array<unsigned, 3> Dims = {0, 0, 0};
  Attribute A = F.getFnAttribute(Name);
  if (!A.isStringAttribute())
    return Dims;
  SmallVector<StringRef, 3> Parts;
  A.getValueAsString().split(Parts, ',');
  for (auto [Dim, Part] : zip(Dims, Parts))
    if (Part.trim().getAsInteger(10, Dim))
      return {0, 0, 0};
  for (unsigned I = Parts.size(); I < 3 && Dims[0]; ++I)
    Dims[I] = 1;
  return Dims;
}

static unsigned readNumber(const Function &F, StringRef Name) {
  return readDims(F, Name)[0];
}

/// Parameter names are not kept in optimized IR; debug information has them
/// with -g.
static std::vector<std::string> parameterNames(const Function &F) {
  std::vector<std::string> Names(F.arg_size());
  for (const Argument &A : F.args())
    Names[A.getArgNo()] = A.getName().str();
  if (const DISubprogram *Sub = F.getSubprogram())
    for (const DINode *Node : Sub->getRetainedNodes())
      if (const auto *Var = dyn_cast<DILocalVariable>(Node))
        if (Var->getArg() && Var->getArg() <= Names.size())
          Names[Var->getArg() - 1] = Var->getName().str();
  return Names;
}

void gpuocc::readSignature(const Function &F, KernelFacts &Facts) {
  Facts.Name = F.getName().str();
  Facts.Demangled = demangle(F.getName());
  Facts.View = "mir";
  Facts.Place = placeOfFunction(F);
  if (Attribute A = F.getFnAttribute("target-cpu"); A.isStringAttribute())
    Facts.Architecture = A.getValueAsString().str();

  std::array<unsigned, 3> Max = readDims(F, "nvvm.maxntid");
  Facts.Bounds.MaxThreads =
      Max[0] * std::max(1u, Max[1]) * std::max(1u, Max[2]);
  Facts.Bounds.MinBlocksPerSm = readNumber(F, "nvvm.minctasm");
  Facts.Bounds.MaxRegisters = readNumber(F, "nvvm.maxnreg");
  Facts.Bounds.RequiredBlock = readDims(F, "nvvm.reqntid");
  Facts.Bounds.Cluster = readDims(F, "nvvm.cluster_dim");

  const DataLayout &DL = F.getDataLayout();
  std::vector<std::string> Names = parameterNames(F);
  uint64_t Offset = 0;
  for (const Argument &A : F.args()) {
    Type *Ty = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    Align ParamAlign = A.hasByValAttr() ? A.getParamAlign().valueOrOne()
                                        : DL.getABITypeAlign(Ty);
    Offset = alignTo(Offset, ParamAlign);
    Parameter P;
    P.Name = Names[A.getArgNo()];
    P.OffsetBytes = Offset;
    P.SizeBytes = DL.getTypeAllocSize(Ty);
    P.IsPointer = Ty->isPointerTy();
    P.IsFloat = Ty->isFloatingPointTy();
    if (P.IsPointer)
      P.PointeeAlignBytes = A.getParamAlign().valueOrOne().value();
    Offset += P.SizeBytes;
    Facts.Parameters.push_back(std::move(P));
  }
}
