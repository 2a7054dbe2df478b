//===- CountPaths.cpp - Tell where threads are in their code --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks of the code are numbered before anything is lowered, so that they are
/// those that a reader of the code sees. The numbers are metadata of the
/// terminators and of the accesses, which lowering keeps.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "SharedMemory.h"
#include "gpuocc/Support/FinalCode.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

static constexpr StringLiteral PathMark = "gpuocc.path";

static void mark(Instruction &I, ArrayRef<uint32_t> Numbers) {
  SmallVector<Metadata *, 2> Words;
  for (uint32_t N : Numbers)
    Words.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(I.getContext()), N)));
  I.setMetadata(PathMark, MDNode::get(I.getContext(), Words));
}

static uint32_t numberIn(const MDNode &Marked, unsigned I) {
  return uint32_t(
      mdconst::extract<ConstantInt>(Marked.getOperand(I))->getZExtValue());
}

/// The block that final code has where \p B stands (BetweenMark).
static const BasicBlock *skipBetween(const BasicBlock *B) {
  while (B->getTerminator()->getMetadata(BetweenMark) &&
         B->getSinglePredecessor() && B->getSingleSuccessor())
    B = B->getSingleSuccessor();
  return B;
}

static bool isBetween(const BasicBlock &B) { return skipBetween(&B) != &B; }

/// The block that \p B goes on in, where nothing else leads there.
static BasicBlock *nextInChain(const BasicBlock &B) {
  const auto *Jump = dyn_cast<BranchInst>(B.getTerminator());
  if (!Jump || Jump->isConditional() || isBetween(B))
    return nullptr;
  BasicBlock *To = Jump->getSuccessor(0);
  const bool IsAlone = To->getSinglePredecessor() == &B && To != &B &&
                       !isa<PHINode>(To->front());
  return IsAlone ? To : nullptr;
}

static bool endsInTrap(const BasicBlock &B) {
  return isa<UnreachableInst>(B.getTerminator());
}

/// Where the code at the end of \p Last goes, in the order of its branch.
static SmallVector<const BasicBlock *, 2> targetsOf(const BasicBlock &Last) {
  SmallVector<const BasicBlock *, 2> To;
  if (const auto *Switch = dyn_cast<SwitchInst>(Last.getTerminator())) {
    for (const auto &Case : Switch->cases())
      To.push_back(Case.getCaseSuccessor());
    return To;
  }
  for (const BasicBlock *S : successors(&Last))
    if (!is_contained(To, skipBetween(S)))
      To.push_back(skipBetween(S));
  return To;
}

namespace {

/// What a load, a store or an atomic goes to.
struct TouchedMemory {
  Value *Pointer;
  Type *Of;
  ExecutedKind Kind;
};

} // namespace

static std::optional<TouchedMemory> memoryOf(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return TouchedMemory{Load->getPointerOperand(), Load->getType(),
                         ExecutedKind::Load};
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return TouchedMemory{Store->getPointerOperand(),
                         Store->getValueOperand()->getType(),
                         ExecutedKind::Store};
  if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return TouchedMemory{Atomic->getPointerOperand(), Atomic->getType(),
                         ExecutedKind::Atomic};
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return TouchedMemory{Swap->getPointerOperand(),
                         Swap->getNewValOperand()->getType(),
                         ExecutedKind::Atomic};
  return std::nullopt;
}

/// The access that \p I is of memory that a thread shares with others; nothing
/// where it is none.
static std::optional<ExecutedAccess> accessOf(Instruction &I) {
  constexpr unsigned Generic = 0, Global = 1;
  const std::optional<TouchedMemory> Memory = memoryOf(I);
  if (!Memory)
    return std::nullopt;
  const unsigned Space = Memory->Pointer->getType()->getPointerAddressSpace();
  const Value *Object = getUnderlyingObject(Memory->Pointer);
  const auto *Parameter = dyn_cast<Argument>(Object);
  if ((Space != Generic && Space != Global) || isa<AllocaInst>(Object) ||
      (Parameter && Parameter->hasByValAttr()))
    return std::nullopt;
  ExecutedAccess A;
  A.BytesPerLane =
      unsigned(I.getModule()->getDataLayout().getTypeStoreSize(Memory->Of));
  A.Kind = Memory->Kind;
  return A;
}

PathCode gpuocc::execute::numberPaths(Function &Kernel, bool WithAccesses) {
  PathCode Code;
  DenseMap<const BasicBlock *, uint32_t> NumberOf;
  std::vector<std::vector<BasicBlock *>> Chains;
  for (BasicBlock *First : ReversePostOrderTraversal<Function *>(&Kernel)) {
    if (NumberOf.contains(First) || isBetween(*First))
      continue;
    std::vector<BasicBlock *> &Chain = Chains.emplace_back();
    for (BasicBlock *B = First; B; B = nextInChain(*B)) {
      NumberOf[B] = uint32_t(Chains.size()) - 1;
      Chain.push_back(B);
    }
  }
  std::vector<SmallVector<uint32_t, 2>> Graph(Chains.size());
  Code.Blocks.resize(Chains.size());
  for (auto [Number, Chain] : enumerate(Chains)) {
    ExecutedBlock &Out = Code.Blocks[Number];
    for (BasicBlock *B : Chain)
      for (Instruction &I : *B)
        if (const auto A = WithAccesses ? accessOf(I) : std::nullopt) {
          mark(I, {uint32_t(Number), uint32_t(Out.Accesses.size())});
          Out.Accesses.push_back(*A);
        }
    mark(*Chain.back()->getTerminator(), {uint32_t(Number)});
    const auto Targets = targetsOf(*Chain.back());
    const bool HasOther =
        !all_of(Targets, [](const BasicBlock *B) { return endsInTrap(*B); });
    for (const BasicBlock *B : Targets) {
      Out.Successors.push_back(NumberOf.at(B));
      if (!HasOther || !endsInTrap(*B))
        Graph[Number].push_back(NumberOf.at(B));
    }
  }
  Code.Places = MeetingPlaces(Graph);
  return Code;
}

void gpuocc::execute::tellPaths(Module &M) {
  SmallVector<std::pair<Instruction *, const MDNode *>, 64> Places;
  for (Function &F : M)
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (const MDNode *Marked = I.getMetadata(PathMark))
          Places.push_back({&I, Marked});
  for (auto [I, Marked] : Places) {
    I->setMetadata(PathMark, nullptr);
    IRBuilder<> B(I);
    const bool IsAccess = Marked->getNumOperands() == 2;
    Value *Address = B.getInt64(0);
    if (IsAccess) {
      const std::optional<TouchedMemory> Memory = memoryOf(*I);
      if (!Memory)
        continue;
      Address = B.CreatePtrToInt(Memory->Pointer, B.getInt64Ty());
    }
    FunctionCallee Tell =
        M.getOrInsertFunction("gpuoccIsAt", B.getVoidTy(), B.getPtrTy(),
                              B.getInt32Ty(), B.getInt32Ty(), B.getInt64Ty());
    B.CreateCall(
        Tell,
        {I->getFunction()->getArg(0), B.getInt32(numberIn(*Marked, 0)),
         B.getInt32(IsAccess ? numberIn(*Marked, 1) : PathEvent::NoAccess),
         Address});
  }
}
