//===- CountTurns.cpp - Count the turns of loops --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop that data end tells the runtime how often a thread turned in it when
/// the thread leaves. Loops that the arguments of the launch and the number of
/// the thread end are left alone, and so are those that wait for what other
/// threads write: they turn on the host as often as its cores let them.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include <set>

using namespace gpuocc::execute;
using namespace llvm;

/// Does \p V come from the launch: an argument, or what the state of the thread
/// says?
static bool isOfLaunch(const Value *V, const Function &Kernel) {
  if (const auto *A = dyn_cast<Argument>(V))
    return A->getParent() == &Kernel || A->getArgNo() == 0;
  const auto *Load = dyn_cast<LoadInst>(V);
  if (!Load)
    return isa<Constant>(V);
  const Value *Object = getUnderlyingObject(Load->getPointerOperand());
  // The state of the thread leads to that of its block, and that to shared
  // memory, whose words are data.
  if (const auto *OfBlock = dyn_cast<LoadInst>(Object))
    Object = getUnderlyingObject(OfBlock->getPointerOperand());
  if (const auto *A = dyn_cast<Argument>(Object))
    return A->getArgNo() == 0 || A->hasByValAttr();
  const auto *Variable = dyn_cast<GlobalVariable>(Object);
  return Variable && Variable->isConstant();
}

/// Is \p V of \p L the same in all turns, or does it grow evenly, by what the
/// launch says?
static bool isCountUp(const Value *V, const Loop &L, const Function &Kernel,
                      ScalarEvolution &Evolution) {
  if (!Evolution.isSCEVable(V->getType()))
    return false;
  const SCEV *Of = Evolution.getSCEVAtScope(const_cast<Value *>(V), &L);
  const auto *Grows = dyn_cast<SCEVAddRecExpr>(Of);
  if (Grows ? Grows->getLoop() != &L || !Grows->isAffine()
            : !Evolution.isLoopInvariant(Of, &L))
    return false;
  return !SCEVExprContains(Of, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return Unknown && !isOfLaunch(Unknown->getValue(), Kernel);
  });
}

static bool isEndedByData(const Loop &L, const Function &Kernel,
                          ScalarEvolution &Evolution) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return any_of(Exiting, [&](const BasicBlock *B) {
    // Steps that are known when the kernel is launched only have no count.
    if (const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
        Branch && Branch->isConditional())
      if (const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
          Compare && isCountUp(Compare->getOperand(0), L, Kernel, Evolution) &&
          isCountUp(Compare->getOperand(1), L, Kernel, Evolution))
        return false;
    const SCEV *Count = Evolution.getExitCount(&L, B);
    return isa<SCEVCouldNotCompute>(Count) ||
           SCEVExprContains(Count, [&](const SCEV *Part) {
             const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
             return Unknown && !isOfLaunch(Unknown->getValue(), Kernel);
           });
  });
}

/// The condition of the branch that leads to \p B, where one way does; null
/// where there is none.
static const Value *conditionBefore(const BasicBlock *B, const Loop &L) {
  for (; B && L.contains(B); B = B->getSinglePredecessor())
    if (const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
        Branch && Branch->isConditional())
      return Branch->getCondition();
  return nullptr;
}

using ValueList = SmallSetVector<const Value *, 16>;

/// Does an exit of \p L rest on an instruction of it that \p IsSought? Looked
/// at is what its conditions are computed from, and what \p AddMore adds for an
/// instruction among that.
static bool
restsOn(const Loop &L, function_ref<bool(const Instruction &)> IsSought,
        function_ref<void(const Instruction &, ValueList &)> AddMore) {
  constexpr size_t MostValues = 256;
  ValueList Values;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *B : Exiting)
    if (const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
        Branch && Branch->isConditional())
      Values.insert(Branch->getCondition());
  for (size_t I = 0; I != Values.size() && I != MostValues; ++I) {
    const auto *From = dyn_cast<Instruction>(Values[I]);
    if (!From || !L.contains(From))
      continue;
    if (IsSought(*From))
      return true;
    if (isa<CastInst, BinaryOperator, CmpInst, SelectInst, ExtractValueInst,
            PHINode>(From))
      Values.insert(From->op_begin(), From->op_end());
    AddMore(*From, Values);
  }
  return false;
}

/// Does an exit of \p L rest on what other threads change: is it looked at, or
/// decides it whether the loop gets on?
static bool waits(const Loop &L) {
  auto IsSought = [](const Instruction &From) {
    const auto *Load = dyn_cast<LoadInst>(&From);
    return isa<AtomicCmpXchgInst>(From) ||
           (Load && (Load->isVolatile() || Load->isAtomic()));
  };
  return restsOn(L, IsSought, [&](const Instruction &From, ValueList &Values) {
    if (const auto *Phi = dyn_cast<PHINode>(&From))
      for (const BasicBlock *B : Phi->blocks())
        if (const Value *Condition = conditionBefore(B, L))
          Values.insert(Condition);
  });
}

/// Is it memory that the state of a thread leads to, which the block shares?
static bool isShared(const Value *Pointer) {
  unsigned Steps = 0;
  const Value *Object = getUnderlyingObject(Pointer);
  while (const auto *Load = dyn_cast<LoadInst>(Object)) {
    Object = getUnderlyingObject(Load->getPointerOperand());
    ++Steps;
  }
  const auto *A = dyn_cast<Argument>(Object);
  return Steps != 0 && A && A->getArgNo() == 0;
}

/// Does an exit of \p L rest on what an atomic of it gave, be it over shared
/// memory or from another lane?
static bool isHandedOut(const Loop &L) {
  auto IsSought = [](const Instruction &From) {
    return isa<AtomicRMWInst>(From);
  };
  return restsOn(L, IsSought, [&](const Instruction &From, ValueList &Values) {
    if (isa<CallInst, FreezeInst>(From))
      Values.insert(From.op_begin(), From.op_end());
    const auto *Load = dyn_cast<LoadInst>(&From);
    if (!Load || !isShared(Load->getPointerOperand()))
      return;
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &Other : *B)
        if (const auto *Store = dyn_cast<StoreInst>(&Other);
            Store && isShared(Store->getPointerOperand()))
          Values.insert(Store->getValueOperand());
  });
}

/// The lines of what is in \p L and in no loop inside it.
static std::vector<std::string> placesOf(const Loop &L, const LoopInfo &Loops) {
  std::set<std::string> Places;
  for (const BasicBlock *B : L.blocks())
    if (Loops.getLoopFor(B) == &L)
      for (const Instruction &I : *B)
        if (const DILocation *At = I.getDebugLoc(); At && At->getLine() != 0)
          Places.insert((sys::path::filename(At->getFilename()) + ":" +
                         Twine(At->getLine()))
                            .str());
  return {Places.begin(), Places.end()};
}

namespace {

/// Counts in one function.
class TurnCounter {
public:
  TurnCounter(Function &F, const Function &Kernel, std::vector<TurnedLoop> &Out)
      : F(F), Kernel(Kernel), Dominators(F), Loops(Dominators), Assumptions(F),
        LibraryImpl(F.getParent()->getTargetTriple()), Library(LibraryImpl),
        Evolution(F, Library, Assumptions, Dominators, Loops), Out(Out) {}

  void run();

private:
  /// Where the turns of \p L are counted.
  AllocaInst *turnsOf(const Loop &L);
  /// Which entry of \p L this is, among those of the function.
  Value *keyOf(IRBuilder<> &B, const Loop &L);
  void count(const Loop &L);

  Function &F;
  const Function &Kernel;
  DominatorTree Dominators;
  LoopInfo Loops;
  AssumptionCache Assumptions;
  TargetLibraryInfoImpl LibraryImpl;
  TargetLibraryInfo Library;
  ScalarEvolution Evolution;
  std::vector<TurnedLoop> &Out;
  DenseMap<const Loop *, AllocaInst *> Turns;
};

} // namespace

AllocaInst *TurnCounter::turnsOf(const Loop &L) {
  AllocaInst *&Place = Turns[&L];
  if (Place)
    return Place;
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Place = B.CreateAlloca(B.getInt64Ty());
  B.SetInsertPoint(L.getLoopPreheader()->getTerminator());
  B.CreateStore(B.getInt64(0), Place);
  B.SetInsertPoint(&*L.getHeader()->getFirstInsertionPt());
  B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Place), B.getInt64(1)),
                Place);
  return Place;
}

Value *TurnCounter::keyOf(IRBuilder<> &B, const Loop &L) {
  /// Any odd number that spreads.
  constexpr uint32_t Spread = 0x9e3779b1;
  Value *Key = B.getInt32(0);
  for (const Loop *Around = L.getParentLoop(); Around;
       Around = Around->getParentLoop())
    if (Around->getLoopPreheader())
      Key = B.CreateAdd(
          B.CreateMul(Key, B.getInt32(Spread)),
          B.CreateTrunc(B.CreateLoad(B.getInt64Ty(), turnsOf(*Around)),
                        B.getInt32Ty()));
  return Key;
}

void TurnCounter::count(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exits, Exiting;
  L.getUniqueExitBlocks(Exits);
  L.getExitingBlocks(Exiting);
  // The last execution of a header that tests runs no body.
  const bool TestsAtTop = !L.isLoopLatch(L.getHeader()) &&
                          Exiting.size() == 1 && Exiting[0] == L.getHeader();
  AllocaInst *Place = turnsOf(L);
  const uint32_t Number = uint32_t(Out.size());
  TurnedLoop &New = Out.emplace_back();
  New.Places = placesOf(L, Loops);
  New.IsNested = L.getParentLoop() != nullptr;
  for (const Loop *Around = &L; Around; Around = Around->getParentLoop())
    New.IsHandedOut |= isHandedOut(*Around);
  for (const BasicBlock *B : L.blocks())
    if (Loops.getLoopFor(B) == &L)
      New.Instructions += unsigned(B->size());
  for (BasicBlock *Exit : Exits) {
    IRBuilder<> B(&*Exit->getFirstInsertionPt());
    FunctionCallee Left = F.getParent()->getOrInsertFunction(
        "gpuoccLeftLoop", B.getVoidTy(), B.getPtrTy(), B.getInt32Ty(),
        B.getInt64Ty(), B.getInt32Ty());
    Value *Times = B.CreateLoad(B.getInt64Ty(), Place);
    if (TestsAtTop)
      Times = B.CreateSub(Times, B.getInt64(1));
    B.CreateCall(Left, {F.getArg(0), B.getInt32(Number), Times, keyOf(B, L)});
  }
}

void TurnCounter::run() {
  for (Loop *L : Loops)
    simplifyLoop(L, &Dominators, &Loops, &Evolution, &Assumptions,
                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
  SmallVector<const Loop *, 8> Counted;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (L->getLoopPreheader() && L->hasDedicatedExits() &&
        isEndedByData(*L, Kernel, Evolution) && !waits(*L))
      Counted.push_back(L);
  for (const Loop *L : Counted)
    count(*L);
}

std::vector<TurnedLoop> gpuocc::execute::countTurns(Module &M,
                                                    const Function &Kernel) {
  std::vector<TurnedLoop> Out;
  for (Function &F : M)
    // Functions of the runtime's own have no thread.
    if (!F.isDeclaration() && F.arg_size() != 0 &&
        F.getArg(0)->getType()->isPointerTy())
      TurnCounter(F, Kernel, Out).run();
  return Out;
}
