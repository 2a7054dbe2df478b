//===- FunctionLifter.cpp - A PTX function to LLVM IR -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "gpuocc/Support/FinalCode.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace gpuocc;
using namespace llvm;

/// Instructions in a row that one branch of a guard goes around: few enough
/// for what ptxas predicates.
static constexpr unsigned MostGuarded = 8;

FunctionLifter::FunctionLifter(ModuleSymbols &Symbols, DebugLines &Lines,
                               const PtxFunction &From, Function &To)
    : Builder(To.getContext()), Symbols(Symbols), Lines(Lines), From(From),
      To(To), Addresses(From), Owners(To.getContext()) {}

void FunctionLifter::failUnknown(StringRef What, StringRef Name) {
  Symbols.fail(Place, What + " '" + Name + "' is not declared");
}

/// Scopes and the labels in them, which may be named before they come.
void FunctionLifter::collectLabels() {
  Scopes.emplace_back();
  for (const PtxStatement &S : From.Body) {
    if (S.K == PtxStatement::Kind::BlockBegin) {
      Scopes.emplace_back();
      Scopes.back().Parent = Current;
      Current = unsigned(Scopes.size()) - 1;
    }
    ScopeOf.push_back(Current);
    if (S.K == PtxStatement::Kind::BlockEnd)
      Current = Scopes[Current].Parent;
    else if (S.K == PtxStatement::Kind::Label)
      Scopes[Current].Labels[S.Text] =
          BasicBlock::Create(To.getContext(), S.Text, &To);
    else if (S.K == PtxStatement::Kind::Targets)
      Scopes[Current].Targets[S.Text] = &S;
  }
  Current = 0;
}

AllocaInst *FunctionLifter::addAlloca(Type *T, StringRef Name) {
  return new AllocaInst(T, GenericSpace, Name,
                        Entry->getTerminator()
                            ? Entry->getTerminator()->getIterator()
                            : Entry->end());
}

/// The type that registers of \p T are kept in.
static Type *keptType(const PtxType &T, LLVMContext &Context) {
  constexpr unsigned NarrowestBits = 16;
  if (T.Text == "f32")
    return Type::getFloatTy(Context);
  if (T.Text == "f64")
    return Type::getDoubleTy(Context);
  return IntegerType::get(Context, T.Bits <= 1
                                       ? std::max(1u, T.Bits)
                                       : std::max(NarrowestBits, T.Bits));
}

AllocaInst *FunctionLifter::carry() {
  if (!Carry) {
    Carry = addAlloca(intType(32), "carry");
    Registers.push_back(Carry);
  }
  return Carry;
}

AllocaInst *FunctionLifter::addRegister(StringRef Name, const PtxVariable &V) {
  AllocaInst *A = addAlloca(keptType(V.Type, To.getContext()), Name);
  Registers.push_back(A);
  return A;
}

void FunctionLifter::declare(const PtxVariable &V) {
  Scope &S = Scopes[Current];
  if (V.Space == "reg") {
    if (V.NumRegisters != 0)
      S.Ranges[V.Name] = &V;
    else if (V.VectorLength == 1)
      S.Registers[V.Name] = addRegister(V.Name, V);
    else
      for (unsigned I = 0; I != V.VectorLength; ++I)
        for (StringRef Parts : {"xyzw", "rgba"}) {
          const std::string Name = (V.Name + "." + Twine(Parts[I])).str();
          S.Registers[Name] =
              Parts == "xyzw"
                  ? addRegister(Name, V)
                  : S.Registers[(V.Name + "." + Twine("xyzw"[I])).str()];
        }
    return;
  }
  PtxStorage New;
  New.Declared = &V;
  if (V.Space == "param" && !V.NumElements) {
    AllocaInst *A = addAlloca(Symbols.parameterType(V), V.Name);
    Passed.push_back(A);
    New.Where = A;
    New.Space = GenericSpace;
  } else if (V.Space == "local" || V.Space == "param") {
    AllocaInst *A =
        addAlloca(ArrayType::get(Builder.getInt8Ty(),
                                 std::max<uint64_t>(1, V.sizeBytes())),
                  V.Name);
    const unsigned Bytes =
        V.AlignBytes ? V.AlignBytes : std::max(1u, V.Type.Bits / 8);
    if (isPowerOf2_32(Bytes))
      A->setAlignment(Align(Bytes));
    New.Where = A;
    New.Space = GenericSpace;
  } else {
    New = Symbols.addVariable(V);
  }
  S.Variables[V.Name] = New;
}

void FunctionLifter::declareParameters() {
  const size_t First = To.arg_size() - From.Parameters.size();
  for (size_t I = 0; I != From.Parameters.size(); ++I) {
    const PtxVariable &V = From.Parameters[I];
    Argument *A = To.getArg(unsigned(First + I));
    if (V.Space == "reg") {
      AllocaInst *Register = addRegister(V.Name, V);
      Scopes[0].Registers[V.Name] = Register;
      Builder.CreateStore(convert(A, Register->getAllocatedType()), Register);
      continue;
    }
    PtxStorage S;
    S.Declared = &V;
    S.Where = A;
    S.IsArgument = !V.NumElements;
    if (!From.IsKernel && S.IsArgument) {
      AllocaInst *Copy = addAlloca(A->getType(), V.Name);
      Passed.push_back(Copy);
      Builder.CreateStore(A, Copy);
      S.Where = Copy;
      S.IsArgument = false;
    }
    Scopes[0].Variables[V.Name] = S;
  }
}

/// Whole parameters whose address is still needed stay where they are; the
/// backend would copy them otherwise.
void FunctionLifter::markParameters() {
  for (BasicBlock &B : To)
    for (Instruction &I : make_early_inc_range(reverse(B)))
      if (isa<AddrSpaceCastInst, PtrToIntInst>(I) && I.use_empty())
        I.eraseFromParent();
  for (Argument &A : To.args())
    if (From.IsKernel && A.hasByValAttr() &&
        any_of(A.users(), [](User *U) { return isa<AddrSpaceCastInst>(U); }))
      A.addAttr(Attribute::get(To.getContext(), "nvvm.grid_constant"));
}

void FunctionLifter::declareResults() {
  for (const PtxVariable &V : From.Results) {
    if (V.NumElements) {
      PtxStorage S;
      S.Declared = &V;
      S.Where = To.getArg(0);
      Scopes[0].Variables[V.Name] = S;
      continue;
    }
    declare(V);
    if (V.Space == "param")
      Result = &Scopes[0].Variables[V.Name];
  }
}

void FunctionLifter::liftReturn() {
  if (To.getReturnType()->isVoidTy()) {
    Builder.CreateRetVoid();
  } else if (Result) {
    Builder.CreateRet(Builder.CreateLoad(To.getReturnType(), Result->Where));
  } else {
    PtxOperand O;
    O.K = PtxOperand::Kind::Name;
    O.Name = From.Results.front().Name;
    Builder.CreateRet(read(O, To.getReturnType()));
  }
}

void FunctionLifter::startUnreachable() {
  Builder.SetInsertPoint(BasicBlock::Create(To.getContext(), "", &To));
}

BasicBlock *FunctionLifter::label(StringRef Name) {
  for (unsigned S = Current;; S = Scopes[S].Parent) {
    if (BasicBlock *B = Scopes[S].Labels.lookup(Name))
      return B;
    if (S == 0)
      break;
  }
  failUnknown("label", Name);
  return nullptr;
}

const PtxStatement *FunctionLifter::targets(StringRef Name) {
  for (unsigned S = Current;; S = Scopes[S].Parent) {
    if (const PtxStatement *Found = Scopes[S].Targets.lookup(Name))
      return Found;
    if (S == 0)
      return nullptr;
  }
}

static bool isBranch(const PtxStatement &S) {
  const StringRef Word = S.Text.split('.').first;
  return Word == "bra" || Word == "brx";
}

/// Code of statement \p Index runs where its guard holds.
void FunctionLifter::beginGuard(size_t Index) {
  const PtxStatement &S = From.Body[Index];
  PtxOperand Guard;
  Guard.K = PtxOperand::Kind::Name;
  Guard.Name = S.Guard;
  Value *Holds = read(Guard, Builder.getInt1Ty());
  BasicBlock *Then = BasicBlock::Create(To.getContext(), "", &To);
  Join = BasicBlock::Create(To.getContext(), "", &To);
  Builder.CreateCondBr(Holds, S.GuardNegated ? Join : Then,
                       S.GuardNegated ? Then : Join);
  Builder.SetInsertPoint(Then);
  NumGuarded = 0;
}

/// Is the instruction behind \p Index under the same guard, which \p Index
/// leaves as it is?
bool FunctionLifter::goesOnWithGuard(size_t Index) {
  if (Index + 1 == From.Body.size() || ++NumGuarded == MostGuarded)
    return false;
  const PtxStatement &S = From.Body[Index], &Next = From.Body[Index + 1];
  if (Next.K != PtxStatement::Kind::Instruction || Next.Guard != S.Guard ||
      Next.GuardNegated != S.GuardNegated || isBranch(Next))
    return false;
  const PtxOperand *To = S.Operands.empty() ? nullptr : &S.Operands.front();
  return !To || (To->Name != S.Guard && To->Second != S.Guard);
}

/// What lifts instructions of the first word \p Word; null when nothing does.
static LiftInstruction liftOf(StringRef Word) {
  for (ArrayRef<LiftRow> Family :
       {arithmeticRows(), functionRows(), bitRows(), selectRows(),
        convertRows(), memoryRows(), atomicRows(), warpRows(), matrixRows(),
        flowRows()})
    for (const LiftRow &R : Family)
      if (R.Word == Word)
        return R.Lift;
  return nullptr;
}

void FunctionLifter::liftInstruction(size_t Index) {
  const PtxStatement &S = From.Body[Index];
  // A branch takes its own guard.
  const bool IsGuarded = !S.Guard.empty() && !isBranch(S);
  if (IsGuarded && !Join)
    beginGuard(Index);
  const PtxMnemonic Op(S.Text);
  const LiftInstruction Lift = liftOf(Op.first());
  if (!Lift || !Lift(*this, S, Op))
    liftAsAssembly(*this, S, Op);
  if (!IsGuarded || goesOnWithGuard(Index))
    return;
  Builder.CreateBr(Join);
  Builder.SetInsertPoint(Join);
  Join = nullptr;
}

void FunctionLifter::liftStatement(size_t Index) {
  const PtxStatement &S = From.Body[Index];
  Current = ScopeOf[Index];
  Place = S.Place;
  Builder.SetCurrentDebugLocation(Lines.at(S.SourceLine));
  Owners.enter(S, Builder);
  switch (S.K) {
  case PtxStatement::Kind::Instruction:
    liftInstruction(Index);
    break;
  case PtxStatement::Kind::Label: {
    BasicBlock *B = Scopes[Current].Labels.lookup(S.Text);
    Builder.CreateBr(B);
    B->moveAfter(Builder.GetInsertBlock());
    Builder.SetInsertPoint(B);
    break;
  }
  case PtxStatement::Kind::Variable:
    declare(From.Variables[S.Variable]);
    break;
  case PtxStatement::Kind::Pragma:
    if (S.Text == "nounroll")
      NotUnrolled.insert(Builder.GetInsertBlock());
    break;
  default:
    break;
  }
}

/// Tells branches back to loops that are not to be unrolled.
void FunctionLifter::markLoops() {
  if (NotUnrolled.empty())
    return;
  LLVMContext &Context = To.getContext();
  const DominatorTree Dominators(To);
  for (BasicBlock &B : To)
    for (BasicBlock *Next : successors(&B)) {
      if (!NotUnrolled.contains(Next) || !Dominators.dominates(Next, &B))
        continue;
      MDNode *Disable = MDNode::get(
          Context, MDString::get(Context, "llvm.loop.unroll.disable"));
      MDNode *Id = MDNode::getDistinct(Context, {nullptr, Disable});
      Id->replaceOperandWith(0, Id);
      B.getTerminator()->setMetadata(LLVMContext::MD_loop, Id);
    }
}

/// "@p bra A; bra B;" is one branch: blocks that only go on, and that no label
/// names, are left out. There are no phis yet.
static void skipEmptyBlocks(Function &F) {
  for (BasicBlock &B : make_early_inc_range(F)) {
    auto *Jump = dyn_cast<BranchInst>(&B.front());
    if (B.hasName() || !Jump || Jump->isConditional() ||
        Jump->getSuccessor(0) == &B)
      continue;
    B.replaceAllUsesWith(Jump->getSuccessor(0));
    B.eraseFromParent();
  }
}

/// Puts a block that goes on to the other side between a branch and its taken
/// side. The code generator turns branches around whose taken side stands next;
/// which side is taken is final, and ptxas unrolls loops by whether a branch
/// leaves them or goes back. There are no phis yet.
static void keepBranches(Function &F) {
  LLVMContext &Context = F.getContext();
  for (BasicBlock &B : make_early_inc_range(F)) {
    auto *Jump = dyn_cast<BranchInst>(B.getTerminator());
    if (!Jump || Jump->isUnconditional() ||
        Jump->getSuccessor(0) != B.getNextNode())
      continue;
    BasicBlock *Between = BasicBlock::Create(Context, "", &F, B.getNextNode());
    auto *OnlyJump = BranchInst::Create(Jump->getSuccessor(1), Between);
    OnlyJump->setMetadata(BetweenMark, MDNode::get(Context, {}));
    Jump->setSuccessor(1, Between);
  }
}

/// Stores of the bits of a number as stores of the number.
static void storeFloats(Function &F) {
  for (BasicBlock &B : F)
    for (Instruction &I : B)
      if (auto *Store = dyn_cast<StoreInst>(&I))
        if (auto *Cast = dyn_cast<BitCastInst>(Store->getValueOperand());
            Cast && Cast->getSrcTy()->isFloatingPointTy())
          Store->setOperand(0, Cast->getOperand(0));
}

/// Leaves those of \p Places that \p Entry still has: a branch whose sides are
/// one takes its condition along, and what only that reads.
static void dropErased(std::vector<AllocaInst *> &Places,
                       const BasicBlock &Entry) {
  SmallPtrSet<const Instruction *, 32> Kept;
  for (const Instruction &I : Entry)
    Kept.insert(&I);
  erase_if(Places, [&](const AllocaInst *A) { return !Kept.contains(A); });
}

void FunctionLifter::finish() {
  for (BasicBlock &B : To)
    if (!B.getTerminator()) {
      Builder.SetInsertPoint(&B);
      liftReturn();
    }
  skipEmptyBlocks(To);
  removeUnreachableBlocks(To);
  // Labels that nobody branches to, of debug information for one.
  for (BasicBlock &B : make_early_inc_range(To))
    MergeBlockIntoPredecessor(&B);
  for (std::vector<AllocaInst *> *Places : {&Registers, &Passed})
    dropErased(*Places, *Entry);
  chooseRegisterTypes(Registers);
  keepBranches(To);
  DominatorTree Dominators(To);
  copy_if(Passed, std::back_inserter(Registers), isAllocaPromotable);
  PromoteMemToReg(Registers, Dominators);
  storeFloats(To);
  shareConversions(To, Dominators);
  fuseProducts(To);
  markParameters();
  markLoops();
  Owners.separate(To);
}

void FunctionLifter::run() {
  Entry = BasicBlock::Create(To.getContext(), "entry", &To);
  collectLabels();
  BasicBlock *Body = BasicBlock::Create(To.getContext(), "body", &To);
  Body->moveAfter(Entry);
  Builder.SetInsertPoint(Entry);
  Builder.CreateBr(Body);
  Builder.SetInsertPoint(Body);
  declareParameters();
  declareResults();
  for (size_t I = 0; I != From.Body.size() && Symbols.Problem.empty(); ++I)
    liftStatement(I);
  if (Symbols.Problem.empty())
    finish();
}
