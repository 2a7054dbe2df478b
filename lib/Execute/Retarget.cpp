//===- Retarget.cpp - Kernels of NVPTX as code of the host ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Retarget.h"
#include "Lowering.h"
#include "SharedMemory.h"
#include "State.h"
#include "WarpOperation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

bool gpuocc::execute::isProgramVariable(const GlobalVariable &V) {
  if (V.getAddressSpace() == SharedSpace || V.getName().starts_with("llvm."))
    return false;
  if (V.isDeclaration())
    return true;
  return !V.isConstant() || V.isExternallyInitialized();
}

/// Leaves in \p M what globals with \p IsRoot need.
static void keepOnly(Module &M,
                     function_ref<bool(const GlobalValue &)> IsRoot) {
  for (StringRef Name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                         "llvm.global_dtors"})
    if (GlobalVariable *V = M.getGlobalVariable(Name))
      V->eraseFromParent();
  for (GlobalValue &V : M.global_values())
    if (!V.isDeclaration() && !IsRoot(V)) {
      V.setLinkage(GlobalValue::InternalLinkage);
      V.setVisibility(GlobalValue::DefaultVisibility);
    }
  for (Function &F : M)
    F.setComdat(nullptr);
  ModuleAnalysisManager Analyses;
  PassBuilder Builder;
  Builder.registerModuleAnalyses(Analyses);
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Graphs;
  Builder.registerCGSCCAnalyses(Graphs);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Graphs, Analyses);
  GlobalDCEPass().run(M, Analyses);
}

static void declareVariables(Module &M) {
  for (GlobalVariable &V : M.globals())
    if (isProgramVariable(V)) {
      V.setInitializer(nullptr);
      V.setExternallyInitialized(false);
      V.setConstant(false);
      V.setComdat(nullptr);
      V.setLinkage(GlobalValue::ExternalLinkage);
      V.setVisibility(GlobalValue::DefaultVisibility);
    }
}

/// Numbers out of the range of a whole number become the nearest one on a GPU,
/// and undefined in IR.
static void saturateConversions(Module &M) {
  for (Function &F : M)
    for (BasicBlock &B : F)
      for (Instruction &I : make_early_inc_range(B)) {
        if (!isa<FPToSIInst, FPToUIInst>(I))
          continue;
        IRBuilder<> Builder(&I);
        Value *V = I.getOperand(0);
        Value *New = Builder.CreateIntrinsic(
            isa<FPToSIInst>(I) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
            {I.getType(), V->getType()}, {V});
        I.replaceAllUsesWith(New);
        I.eraseFromParent();
      }
}

/// Does what \p Atomic returns decide which way threads go, or is it told to
/// others that may go by it?
static bool decidesControl(const AtomicRMWInst &Atomic) {
  constexpr size_t MostValues = 64;
  SmallSetVector<const Value *, 16> Values;
  Values.insert(&Atomic);
  for (size_t I = 0; I != Values.size(); ++I)
    for (const Use &U : Values[I]->uses()) {
      const User *By = U.getUser();
      if (isa<BranchInst, SwitchInst, CallInst>(By) ||
          Values.size() > MostValues)
        return true;
      if (const auto *Store = dyn_cast<StoreInst>(By))
        if (Store->getValueOperand() == U.get())
          return true;
      if (isa<CastInst, BinaryOperator, CmpInst, PHINode, SelectInst>(By))
        Values.insert(By);
    }
  return false;
}

static void callAt(ArrayRef<Instruction *> Places, StringRef Function) {
  for (Instruction *I : Places) {
    IRBuilder<> Builder(I);
    Builder.CreateCall(I->getModule()->getOrInsertFunction(
                           Function, Builder.getVoidTy(), Builder.getPtrTy()),
                       {I->getFunction()->getArg(0)});
  }
}

/// The atomics of shared memory. Asked while pointers still lead to shared
/// variables.
static std::vector<WeakVH> atomicsInShared(Module &M) {
  std::vector<WeakVH> Atomics;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
          Atomic && isInShared(*Atomic->getPointerOperand()))
        Atomics.emplace_back(&I);
  return Atomics;
}

/// Threads that look for a change let those run that make it, and none draws
/// all work that there is. \p InShared: atomicsInShared().
static void yieldInLoops(Module &M, ArrayRef<WeakVH> InShared, Needs &Found) {
  SmallVector<Instruction *, 8> Looks, Atomics, Draws, DrawsInBlock;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const DominatorTree Dominators(F);
    const LoopInfo Loops(Dominators);
    for (BasicBlock &B : F)
      for (Instruction &I : B) {
        const auto *Load = dyn_cast<LoadInst>(&I);
        if (I.isAtomic() || I.isVolatile())
          Found.Effects = std::max(Found.Effects, RunEffects::Sharing);
        if (Load && (Load->isVolatile() || Load->isAtomic()))
          Looks.push_back(&I);
        else if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
                 Atomic && Loops.getLoopFor(&B) && decidesControl(*Atomic))
          (is_contained(InShared, &I) ? DrawsInBlock : Draws).push_back(&I);
        else if (isa<AtomicCmpXchgInst, AtomicRMWInst>(I) &&
                 Loops.getLoopFor(&B))
          Atomics.push_back(&I);
      }
  }
  if (!Looks.empty())
    Found.Stacks = Found.Waits = true;
  Found.Stacks |= !Draws.empty() || !DrawsInBlock.empty();
  if (!Found.Stacks)
    return;
  append_range(Looks, Atomics);
  callAt(Looks, "gpuoccYield");
  callAt(Draws, "gpuoccTakeTurn");
  callAt(DrawsInBlock, "gpuoccTakeTurnInBlock");
}

static bool isMeeting(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isConvergent();
}

/// The loop that \p B is in has a meeting, or where there is none the function
/// has: a further one costs about as much.
static bool isWhereLanesMeet(const BasicBlock &B, const LoopInfo &Loops) {
  auto HasMeeting = [](const BasicBlock &Other) {
    return any_of(Other, isMeeting);
  };
  if (const Loop *Around = Loops.getLoopFor(&B))
    return any_of(Around->blocks(),
                  [&](const BasicBlock *Other) { return HasMeeting(*Other); });
  return any_of(*B.getParent(), HasMeeting);
}

namespace {

/// Where plain accesses of shared memory go to since lanes have met, on any
/// way.
struct PlainAccesses {
  SmallSetVector<const Value *, 8> Loads, Stores;

  void add(const Instruction &I);
  void clear() {
    Loads.clear();
    Stores.clear();
  }
  /// Whether something of \p Other is new.
  bool add(const PlainAccesses &Other) {
    const size_t Before = Loads.size() + Stores.size();
    Loads.insert_range(Other.Loads);
    Stores.insert_range(Other.Stores);
    return Loads.size() + Stores.size() != Before;
  }
};

} // namespace

void PlainAccesses::add(const Instruction &I) {
  if (isMeeting(I))
    return clear();
  if (!isa<LoadInst, StoreInst>(I) || I.isVolatile())
    return;
  const Value &Where = *getLoadStorePointerOperand(&I);
  if (isInShared(Where))
    (isa<LoadInst>(I) ? Loads : Stores).insert(&Where);
}

/// What lanes may have accessed when they come to each block: one that has left
/// a loop goes on while others are in it.
static DenseMap<const BasicBlock *, PlainAccesses>
accessesBefore(const Function &F) {
  DenseMap<const BasicBlock *, PlainAccesses> Before;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock &B : F) {
      PlainAccesses Behind = Before.lookup(&B);
      for (const Instruction &I : B)
        Behind.add(I);
      for (const BasicBlock *Next : successors(&B))
        Changed |= Before[Next].add(Behind);
    }
  }
  return Before;
}

namespace {

/// Finds the accesses of a block before which lanes have to meet.
class StepFinder {
public:
  /// \p Before: the accesses of earlier blocks.
  StepFinder(bool LanesMeet, PlainAccesses Before,
             std::vector<WeakVH> &Accesses)
      : LanesMeet(LanesMeet), Accesses(Accesses), Plain(std::move(Before)) {}

  void add(Instruction &I);

private:
  bool needsStep(const Instruction &I, const Value &Where) const;

  const bool LanesMeet;
  std::vector<WeakVH> &Accesses;
  /// Others may not have loaded yet when a lane goes on to store.
  bool HasLoaded = false;
  PlainAccesses Plain;
};

} // namespace

bool StepFinder::needsStep(const Instruction &I, const Value &Where) const {
  if (I.isVolatile())
    return true;
  const bool IsStore = isa<StoreInst>(I);
  // What a lane has accessed in its own place no other lane overwrites.
  return (IsStore && HasLoaded) ||
         (LanesMeet &&
          any_of(IsStore ? Plain.Loads : Plain.Stores, [&](const Value *Other) {
            return Other != &Where &&
                   getUnderlyingObject(Other) == getUnderlyingObject(&Where);
          }));
}

void StepFinder::add(Instruction &I) {
  if (isa<LoadInst, StoreInst>(I)) {
    const Value &Where = *getLoadStorePointerOperand(&I);
    if (isInShared(Where) && needsStep(I, Where)) {
      HasLoaded = isa<LoadInst>(I) && I.isVolatile();
      Plain.clear();
      Accesses.emplace_back(&I);
    }
  }
  Plain.add(I);
}

/// Lanes rely on the hardware's step where they share memory by volatile
/// accesses, and where they load from each other's places and store before they
/// meet. Asked while pointers still lead to shared variables.
static std::vector<WeakVH> accessesInStep(Module &M) {
  std::vector<WeakVH> Accesses;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const DominatorTree Dominators(F);
    const LoopInfo Loops(Dominators);
    const auto Before = accessesBefore(F);
    for (BasicBlock &B : F) {
      StepFinder Finder(isWhereLanesMeet(B, Loops), Before.lookup(&B),
                        Accesses);
      for (Instruction &I : B)
        Finder.add(I);
    }
  }
  return Accesses;
}

static void convergeAt(ArrayRef<WeakVH> Accesses, Needs &Found) {
  for (const WeakVH &Access : Accesses) {
    auto *I = cast_or_null<Instruction>(static_cast<Value *>(Access));
    if (!I)
      continue;
    Found.Stacks = true;
    IRBuilder<> B(I);
    createMeeting(B, I->getFunction()->getArg(0),
                  uint32_t(WarpOperation::Converge), Found.NumSites++,
                  {B.getInt32(~0u), B.getInt64(0), B.getInt32(0),
                   B.getInt32(WarpRequest::WithoutMask)});
    // It is no longer what others look at.
    if (auto *Load = dyn_cast<LoadInst>(I))
      Load->setVolatile(false);
  }
}

/// What code for the host says of itself.
static void becomeHost(Module &M, TargetMachine &Target) {
  StripDebugInfo(M);
  M.setTargetTriple(Target.getTargetTriple());
  M.setDataLayout(Target.createDataLayout());
  // Code lies far from what the host has.
  for (GlobalValue &V : M.global_values())
    if (V.isDeclaration())
      V.setDSOLocal(false);
  for (Function &F : M) {
    F.setCallingConv(CallingConv::C);
    if (F.isDeclaration())
      continue;
    F.addFnAttr("target-cpu", Target.getTargetCPU());
    F.addFnAttr("target-features", Target.getTargetFeatureString());
    F.addFnAttr(Attribute::NoUnwind);
  }
}

static void optimize(Module &M, TargetMachine &Target) {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Graphs;
  ModuleAnalysisManager Modules;
  PassBuilder Builder(&Target);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Graphs);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Graphs, Modules);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(M, Modules);
}

namespace {

/// Builds the function that runs a kernel.
class EntryBuilder {
public:
  EntryBuilder(Function &Kernel, bool HasStacks)
      : Kernel(Kernel), B(Kernel.getContext()), HasStacks(HasStacks) {}

  Function *build();

private:
  /// The arguments of the kernel behind its thread.
  SmallVector<Value *, 8> arguments(Value *Pointers);
  void buildLoops(Function &Entry);
  Value *blockField(Value *Block, uint64_t Offset);

  Function &Kernel;
  IRBuilder<> B;
  bool HasStacks;
};

} // namespace

SmallVector<Value *, 8> EntryBuilder::arguments(Value *Pointers) {
  SmallVector<Value *, 8> All;
  MDNode *Empty = MDNode::get(B.getContext(), {});
  for (unsigned I = 1; I != Kernel.arg_size(); ++I) {
    LoadInst *Where = B.CreateLoad(
        B.getPtrTy(),
        B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Pointers, I - 1));
    Where->setMetadata(LLVMContext::MD_invariant_load, Empty);
    Argument *A = Kernel.getArg(I);
    if (A->hasByValAttr()) {
      All.push_back(B.CreateAddrSpaceCast(Where, A->getType()));
      continue;
    }
    LoadInst *Given = B.CreateAlignedLoad(A->getType(), Where, Align(1));
    Given->setMetadata(LLVMContext::MD_invariant_load, Empty);
    All.push_back(Given);
  }
  return All;
}

Value *EntryBuilder::blockField(Value *Block, uint64_t Offset) {
  LoadInst *Load =
      B.CreateLoad(B.getInt32Ty(),
                   B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(B.getContext(), {}));
  return Load;
}

/// for z, y, x: the kernel with a thread of its own.
void EntryBuilder::buildLoops(Function &Entry) {
  LLVMContext &Context = B.getContext();
  Value *Block = Entry.getArg(0);
  Value *Thread =
      B.CreateAlloca(B.getInt8Ty(), B.getInt32(sizeof(ThreadState)));
  cast<AllocaInst>(Thread)->setAlignment(Align(alignof(ThreadState)));
  SmallVector<Value *, 8> Given = {Thread};
  append_range(Given, arguments(Entry.getArg(1)));
  auto Store = [&](uint64_t Offset, Value *V) {
    B.CreateStore(V,
                  B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Thread, Offset));
  };
  Value *Sizes[3];
  for (unsigned D = 0; D != 3; ++D)
    Sizes[D] =
        blockField(Block, offsetof(BlockState, BlockSize) + 4 * uint64_t(D));
  Value *Index[3] = {};
  BasicBlock *Headers[3] = {};
  for (int D = 2; D >= 0; --D) {
    BasicBlock *Before = B.GetInsertBlock();
    Headers[D] = BasicBlock::Create(Context, "", &Entry);
    B.CreateBr(Headers[D]);
    B.SetInsertPoint(Headers[D]);
    PHINode *Phi = B.CreatePHI(B.getInt32Ty(), 2);
    Phi->addIncoming(B.getInt32(0), Before);
    Index[D] = Phi;
  }
  Store(offsetof(ThreadState, Block), Block);
  for (unsigned D = 0; D != 3; ++D)
    Store(offsetof(ThreadState, Index) + 4 * uint64_t(D), Index[D]);
  Value *Row = B.CreateAdd(Index[1], B.CreateMul(Index[2], Sizes[1]));
  Store(offsetof(ThreadState, Rank),
        B.CreateAdd(Index[0], B.CreateMul(Row, Sizes[0])));
  CallInst *Call = B.CreateCall(&Kernel, Given);
  // Threads that do not meet do not depend on each other.
  MDNode *Group = MDNode::getDistinct(Context, {});
  Call->setMetadata(LLVMContext::MD_access_group, Group);
  for (unsigned D = 0; D != 3; ++D) {
    Value *Next = B.CreateAdd(Index[D], B.getInt32(1), "", /*HasNUW=*/true,
                              /*HasNSW=*/true);
    cast<PHINode>(Index[D])->addIncoming(Next, B.GetInsertBlock());
    BasicBlock *After = BasicBlock::Create(Context, "", &Entry);
    auto *Back =
        B.CreateCondBr(B.CreateICmpULT(Next, Sizes[D]), Headers[D], After);
    if (D == 0) {
      MDNode *Parallel = MDNode::get(
          Context,
          {MDString::get(Context, "llvm.loop.parallel_accesses"), Group});
      MDNode *Loop = MDNode::getDistinct(Context, {nullptr, Parallel});
      Loop->replaceOperandWith(0, Loop);
      Back->setMetadata(LLVMContext::MD_loop, Loop);
    }
    B.SetInsertPoint(After);
  }
}

Function *EntryBuilder::build() {
  auto *T = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()},
                              /*isVarArg=*/false);
  Function *Entry =
      Function::Create(T, GlobalValue::ExternalLinkage,
                       Kernel.getName() + ".run", Kernel.getParent());
  B.SetInsertPoint(BasicBlock::Create(B.getContext(), "", Entry));
  if (HasStacks) {
    SmallVector<Value *, 8> Given = {Entry->getArg(0)};
    append_range(Given, arguments(Entry->getArg(1)));
    B.CreateCall(&Kernel, Given);
  } else {
    buildLoops(*Entry);
  }
  B.CreateRetVoid();
  Kernel.setLinkage(GlobalValue::InternalLinkage);
  Kernel.removeFnAttr(Attribute::NoInline);
  Kernel.addFnAttr(Attribute::AlwaysInline);
  return Entry;
}

static uint64_t bytesOfVariables(const Module &M) {
  uint64_t Bytes = 0;
  for (const Function &F : M)
    for (const BasicBlock &B : F)
      for (const Instruction &I : B)
        if (const auto *A = dyn_cast<AllocaInst>(&I))
          if (auto Size = A->getAllocationSize(M.getDataLayout()))
            Bytes += Size->getKnownMinValue();
  return Bytes;
}

/// The steps that are the same for kernels and for what variables refer to.
static Expected<Needs> lower(Module &M, const SharedLayout &Layout) {
  if (Error E = lowerInlineAssembly(M))
    return std::move(E);
  guardArithmetic(M);
  addThreadParameter(M);
  const std::vector<WeakVH> InStep = accessesInStep(M);
  const std::vector<WeakVH> InShared = atomicsInShared(M);
  replaceSharedVariables(M, Layout);
  Expected<Needs> Found = lowerOperations(M, Layout);
  if (!Found)
    return Found;
  convergeAt(InStep, *Found);
  yieldInLoops(M, InShared, *Found);
  saturateConversions(M);
  return Found;
}

static Error verified(Module &M) {
  std::string Wrong;
  raw_string_ostream OS(Wrong);
  if (verifyModule(M, &OS))
    return createStringError("becomes code of the host that is wrong: " +
                             StringRef(Wrong).split('\n').first);
  return Error::success();
}

/// Reads what tools/cuda-shim/include/gpuocc_cluster_dims.h makes of
/// __cluster_dims__; what it leaves out is 1.
static void readAnnotatedCluster(const Function &Kernel, HostKernel &Host) {
  const GlobalVariable *All =
      Kernel.getParent()->getGlobalVariable("llvm.global.annotations");
  if (!All || !All->hasInitializer())
    return;
  for (const Use &Entry : All->getInitializer()->operands()) {
    // The function, the text, the file, the line, and further arguments.
    const auto *Fields = dyn_cast<ConstantStruct>(Entry.get());
    if (!Fields || Fields->getNumOperands() < 5 ||
        Fields->getOperand(0)->stripPointerCasts() != &Kernel)
      continue;
    StringRef Text;
    const auto *Extents =
        dyn_cast<GlobalVariable>(Fields->getOperand(4)->stripPointerCasts());
    if (!getConstantStringInfo(Fields->getOperand(1), Text) ||
        Text != "gpuocc.cluster_dims" || !Extents || !Extents->hasInitializer())
      continue;
    const Constant *Values = Extents->getInitializer();
    for (unsigned D = 0; D != std::size(Host.Cluster); ++D)
      if (const auto *V =
              dyn_cast_or_null<ConstantInt>(Values->getAggregateElement(D));
          V && !V->isZero())
        Host.Cluster[D] = uint32_t(V->getZExtValue());
  }
}

/// Reads "2,1,1".
static void readCluster(const Function &Kernel, HostKernel &Host) {
  if (!Kernel.hasFnAttribute("nvvm.cluster_dim"))
    return readAnnotatedCluster(Kernel, Host);
  StringRef Text = Kernel.getFnAttribute("nvvm.cluster_dim").getValueAsString();
  for (uint32_t &Extent : Host.Cluster) {
    if (Text.consumeInteger(10, Extent) || Extent == 0)
      Extent = 1;
    Text.consume_front(",");
  }
}

Expected<HostKernel> gpuocc::execute::retargetKernel(
    Module &M, StringRef Kernel, const SharedLayout &Layout,
    TargetMachine &Target, Watching Watch, bool TellsPaths) {
  const bool CountsTurns = Watch == Watching::Turns || Watch == Watching::Reads;
  const bool Tells = TellsPaths || Watch == Watching::Paths;
  HostKernel Host;
  readCluster(*M.getFunction(Kernel), Host);
  declareVariables(M);
  keepOnly(M, [&](const GlobalValue &V) { return V.getName() == Kernel; });
  if (Tells)
    Host.Paths = numberPaths(*M.getFunction(Kernel),
                             /*WithAccesses=*/TellsPaths);
  Expected<Needs> Found = lower(M, Layout);
  if (!Found)
    return Found.takeError();
  // Counting turns changes loops.
  if (Tells)
    tellPaths(M);
  // The first, so that loops are the same with and without reads.
  if (CountsTurns)
    Host.Loops = countTurns(M, *M.getFunction(Kernel));
  if (Watch == Watching::Reads)
    watchReads(M);
  becomeHost(M, Target);
  Function *Entry = EntryBuilder(*M.getFunction(Kernel), Found->Stacks).build();
  Entry->addFnAttr("target-cpu", Target.getTargetCPU());
  Entry->addFnAttr("target-features", Target.getTargetFeatureString());
  static constexpr StringLiteral Suffixes[NumWatchings] = {
      "", ".counted", ".watched", ".followed"};
  Entry->setName(Entry->getName() + Suffixes[size_t(Watch)]);
  Host.Entry = Entry->getName().str();
  Host.HasStacks = Found->Stacks;
  Host.Effects = Found->Effects;
  if (Error E = verified(M))
    return std::move(E);
  optimize(M, Target);
  Host.StackBytes = bytesOfVariables(M);
  return Host;
}

Expected<std::vector<std::string>>
gpuocc::execute::retargetVariables(Module &M, const SharedLayout &Layout,
                                   TargetMachine &Target) {
  std::vector<GlobalVariable *> Defined;
  for (GlobalVariable &V : M.globals())
    if (isProgramVariable(V) && !V.isDeclaration())
      Defined.push_back(&V);
  std::vector<std::string> Names;
  for (GlobalVariable *V : Defined) {
    const std::string Name = V->getName().str();
    Names.push_back(Name);
    auto *Place =
        new GlobalVariable(M, V->getValueType(), /*isConstant=*/false,
                           GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                           GlobalValue::NotThreadLocal, V->getAddressSpace());
    V->replaceAllUsesWith(Place);
    V->setName(Name + InitialSuffix);
    V->setLinkage(GlobalValue::ExternalLinkage);
    Place->setName(Name);
    Place->setAlignment(V->getAlign());
    V->setComdat(nullptr);
    V->setConstant(false);
    V->setExternallyInitialized(false);
    if (isa<UndefValue>(V->getInitializer()))
      V->setInitializer(Constant::getNullValue(V->getValueType()));
  }
  keepOnly(M, [](const GlobalValue &V) {
    return V.getName().ends_with(InitialSuffix);
  });
  if (Expected<Needs> Found = lower(M, Layout); !Found)
    return Found.takeError();
  becomeHost(M, Target);
  if (Error E = verified(M))
    return std::move(E);
  optimize(M, Target);
  return Names;
}
