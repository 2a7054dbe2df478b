//===- NumberInstructions.cpp - Numbers that survive the assembler --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberInstructions.h"
#include "LocationTable.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// What of the debug information of a function is to stay.
namespace {
struct KeptSubprogram {
  std::string Name, File, Directory;
  unsigned Line = 1;
};
} // namespace

/// Names of parameters are in debug information only; they move to the
/// arguments, where readers look first.
static void keepParameterNames(Function &F) {
  const DISubprogram *Sub = F.getSubprogram();
  if (!Sub)
    return;
  for (const DINode *Node : Sub->getRetainedNodes())
    if (const auto *Var = dyn_cast<DILocalVariable>(Node))
      if (Var->getArg() && Var->getArg() <= F.arg_size())
        F.getArg(Var->getArg() - 1)->setName(Var->getName());
}

NumberedPlaces gpuocc::numberInstructions(Module &M) {
  std::vector<SourceLocation> Known;
  LocationTable Table(Known);
  std::vector<uint32_t> KnownOf;
  std::map<Function *, KeptSubprogram> Kept;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    keepParameterNames(F);
    KeptSubprogram &Sub = Kept[&F];
    Sub.Name = F.getName().str();
    if (const DISubprogram *Old = F.getSubprogram())
      Sub = {Old->getName().str(), Old->getFilename().str(),
             Old->getDirectory().str(), Old->getLine()};
    for (Instruction &I : instructions(F))
      KnownOf.push_back(Table.indexOf(I.getDebugLoc()));
  }
  NumberedPlaces Places;
  for (uint32_t Index : KnownOf)
    Places.push_back(Index == NoIndex ? SourceLocation() : Known[Index]);

  StripDebugInfo(M);
  DIBuilder Builder(M);
  DIFile *MainFile = Builder.createFile(M.getSourceFileName(), "");
  Builder.createCompileUnit(
      dwarf::DW_LANG_C_plus_plus, MainFile, "gpu-occupancy",
      /*isOptimized=*/true, "", 0, "", DICompileUnit::DebugDirectivesOnly);
  DISubroutineType *Type =
      Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  unsigned Line = 0;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const KeptSubprogram &Sub = Kept[&F];
    DIFile *File = Sub.File.empty()
                       ? MainFile
                       : Builder.createFile(Sub.File, Sub.Directory);
    DISubprogram *New = Builder.createFunction(
        File, Sub.Name, F.getName(), File, Sub.Line, Type, Sub.Line,
        DINode::FlagPrototyped,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
    F.setSubprogram(New);
    for (Instruction &I : instructions(F))
      I.setDebugLoc(DILocation::get(M.getContext(), ++Line, 0, New));
  }
  Builder.finalize();
  M.setModuleFlag(Module::Warning, "Debug Info Version",
                  DEBUG_METADATA_VERSION);
  return Places;
}

void gpuocc::restorePlaces(KernelFacts &Facts, const NumberedPlaces &Places) {
  const SourceLocations Numbered = std::exchange(Facts.Locations, {});
  std::vector<SourceLocation> &Locations = Facts.Locations.edit();
  using Key = std::vector<std::tuple<std::string, unsigned, unsigned>>;
  std::map<Key, uint32_t> IndexOf;
  std::vector<uint32_t> NewIndex;
  for (const SourceLocation &L : Numbered) {
    SourceLocation Restored;
    Key K;
    for (const SourcePlace &Number : L.Places)
      if (Number.Line && Number.Line <= Places.size())
        for (const SourcePlace &P : Places[Number.Line - 1].Places) {
          Restored.Places.push_back(P);
          K.emplace_back(P.File, P.Line, P.Column);
        }
    if (!Restored.isValid()) {
      NewIndex.push_back(NoIndex);
      continue;
    }
    auto [It, IsNew] = IndexOf.try_emplace(std::move(K), Locations.size());
    if (IsNew)
      Locations.push_back(std::move(Restored));
    NewIndex.push_back(It->second);
  }
  auto Restore = [&](uint32_t &Location) {
    if (Location != NoIndex)
      Location = NewIndex[Location];
  };
  for (Operation &Op : Facts.Operations) {
    if (Op.Location != NoIndex && Numbered[Op.Location].isValid())
      Op.Origin = Numbered[Op.Location].innermost().Line;
    Restore(Op.Location);
  }
  for (gpuocc::Loop &L : Facts.Loops)
    Restore(L.Location);
  for (AnalysisGap &Gap : Facts.Gaps)
    Restore(Gap.Location);
}
