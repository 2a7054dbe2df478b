//===- Signature.cpp - Name, parameters and launch bounds -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "LocationTable.h"
#include "gpuocc/Kernel/KernelName.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuocc;
using namespace llvm;

/// CUDA's limit on every architecture.
static constexpr unsigned MostThreadsPerBlock = 1024;

namespace {

/// Reads what the attributes of a kernel promise; what they cannot mean becomes
/// a gap and is not believed.
class BoundsReader {
public:
  BoundsReader(const Function &F, KernelFacts &Facts) : F(F), Facts(Facts) {}

  void read() {
    LaunchBounds &Bounds = Facts.Bounds;
    const std::array<unsigned, 3> Max = dims("nvvm.maxntid");
    const uint64_t Threads =
        SaturatingMultiply<uint64_t>(uint64_t(Max[0]) * Max[1], Max[2]);
    if (Threads > MostThreadsPerBlock)
      distrust("nvvm.maxntid", "a block has at most 1024 threads");
    Bounds.MaxThreads =
        unsigned(std::min<uint64_t>(Threads, MostThreadsPerBlock));
    Bounds.MinBlocksPerSm = dims("nvvm.minctasm")[0];
    Bounds.MaxRegisters = dims("nvvm.maxnreg")[0];
    Bounds.RequiredBlock = dims("nvvm.reqntid");
    Bounds.Cluster = dims("nvvm.cluster_dim");
  }

private:
  /// Up to three comma-separated numbers, as in "nvvm.reqntid"="32,8,1"; what
  /// is left out is 1. All are 0 when there is no such attribute.
  std::array<unsigned, 3> dims(StringRef Name) {
    Attribute A = F.getFnAttribute(Name);
    if (!A.isStringAttribute())
      return {0, 0, 0};
    std::array<unsigned, 3> Dims = {1, 1, 1};
    SmallVector<StringRef, 3> Parts;
    A.getValueAsString().split(Parts, ',');
    for (auto [Dim, Part] : zip(Dims, Parts))
      if (Part.trim().getAsInteger(10, Dim)) {
        distrust(Name, "it is no list of numbers");
        return {0, 0, 0};
      }
    if (is_contained(Dims, 0u))
      return {0, 0, 0};
    return Dims;
  }

  void distrust(StringRef Name, StringRef Why) {
    Facts.Gaps.push_back({NoIndex, ("the attribute \"" + Name + "\"=\"" +
                                    F.getFnAttribute(Name).getValueAsString() +
                                    "\" is wrong: " + Why)
                                       .str()});
  }

  const Function &F;
  KernelFacts &Facts;
};

} // namespace

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
  Facts.Demangled = demangle(nameInSource(F.getName()));
  Facts.View = MachineView::Mir;
  Facts.Place = placeOfFunction(F);
  if (Attribute A = F.getFnAttribute("target-cpu"); A.isStringAttribute())
    Facts.Architecture = A.getValueAsString().str();

  BoundsReader(F, Facts).read();

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
