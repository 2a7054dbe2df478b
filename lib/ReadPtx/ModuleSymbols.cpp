//===- ModuleSymbols.cpp - What PTX functions share ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleSymbols.h"
#include "InitialBytes.h"
#include "Mnemonic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace gpuocc;
using namespace llvm;

unsigned gpuocc::addressSpaceOf(StringRef Word) {
  return StringSwitch<unsigned>(Word.split("::").first)
      .Case("global", GlobalSpace)
      .Case("shared", SharedSpace)
      .Case("const", ConstantSpace)
      .Case("local", LocalSpace)
      .Case("param", ParameterSpace)
      .Default(GenericSpace);
}

ModuleSymbols::ModuleSymbols(const PtxModule &From, Module &To)
    : From(From), To(To) {
  for (const PtxVariable &V : From.Variables)
    Declared.try_emplace(V.Name, &V);
}

void ModuleSymbols::fail(PtxPlace Place, const Twine &What) {
  if (Problem.empty())
    Problem = (From.FileName + ":" + Twine(Place.Line) + ":" +
               Twine(Place.Column) + ": error: " + What)
                  .str();
}

PtxStorage ModuleSymbols::addVariable(const PtxVariable &V) {
  constexpr unsigned AlignOfReferences = 8;
  PtxStorage S;
  S.Declared = &V;
  S.Space = addressSpaceOf(V.Space);
  LLVMContext &Context = To.getContext();
  const bool IsExternal = V.Linkage == "extern";
  Type *T = ArrayType::get(Type::getInt8Ty(Context), V.sizeBytes());
  Constant *Init = IsExternal ? nullptr : UndefValue::get(T);
  if (Init)
    if (const std::optional<std::vector<uint8_t>> Bytes = initialBytes(V))
      Init = ConstantDataArray::get(Context, *Bytes);
  auto *G = new GlobalVariable(
      To, T, /*isConstant=*/false,
      IsExternal ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
      Init, V.Name, nullptr, GlobalValue::NotThreadLocal, S.Space,
      /*isExternallyInitialized=*/S.Space != SharedSpace && !IsExternal);
  const unsigned Alignment =
      V.AlignBytes
          ? V.AlignBytes
          : std::max(1u, V.Type.Bits ? V.Type.Bits / 8 : AlignOfReferences);
  if (isPowerOf2_32(Alignment))
    G->setAlignment(Align(Alignment));
  S.Where = G;
  return S;
}

const PtxStorage *ModuleSymbols::variable(StringRef Name) {
  auto Found = Variables.find(Name);
  if (Found != Variables.end())
    return &Found->second;
  auto It = Declared.find(Name);
  if (It == Declared.end())
    return nullptr;
  return &Variables.try_emplace(Name, addVariable(*It->second)).first->second;
}

Function *ModuleSymbols::function(StringRef Name) const {
  return Functions.lookup(Name);
}

Type *ModuleSymbols::parameterType(const PtxVariable &V) const {
  LLVMContext &Context = To.getContext();
  if (V.NumElements)
    return PointerType::get(Context, GenericSpace);
  if (V.IsPointer)
    return PointerType::get(Context, addressSpaceOf(V.PointerSpace));
  if (V.Type.Text == "f32")
    return Type::getFloatTy(Context);
  if (V.Type.Text == "f64")
    return Type::getDoubleTy(Context);
  // References to textures are handles of 64 bits.
  return IntegerType::get(Context,
                          V.Type.Bits ? std::max(8u, V.Type.Bits) : 64);
}

std::vector<bool> gpuocc::pointerParameters(const PtxFunction &F) {
  StringMap<size_t> Indices;
  for (size_t I = 0; I != F.Parameters.size(); ++I)
    Indices[F.Parameters[I].Name] = I;
  std::vector<bool> IsPointer(F.Parameters.size());
  // Registers that hold a parameter; nvcc writes each once.
  StringMap<size_t> Held;
  for (const PtxStatement &S : F.Body) {
    if (S.K != PtxStatement::Kind::Instruction || S.Operands.size() < 2)
      continue;
    const PtxMnemonic Op(S.Text);
    const PtxOperand &To = S.Operands[0], &From = S.Operands[1];
    if (Op.first() == "ld" && Op.type().Bits == 64 && From.Number == 0 &&
        From.K == PtxOperand::Kind::Address && Indices.contains(From.Name))
      Held[To.Name] = Indices[From.Name];
    const bool IsAddress = Op.first() == "cvta";
    for (const PtxOperand &O : S.Operands)
      if (IsAddress || O.K == PtxOperand::Kind::Address)
        if (auto It = Held.find(O.Name); It != Held.end())
          IsPointer[It->second] = true;
  }
  return IsPointer;
}

/// Launch bounds and the like as the backend knows them.
static void addKernelAttributes(const PtxFunction &From, Function &F) {
  static constexpr std::pair<StringLiteral, StringLiteral> Names[] = {
      {"maxntid", "nvvm.maxntid"},
      {"reqntid", "nvvm.reqntid"},
      {"minnctapersm", "nvvm.minctasm"},
      {"maxnreg", "nvvm.maxnreg"},
      {"reqnctapercluster", "nvvm.cluster_dim"},
      {"maxclusterrank", "nvvm.maxclusterrank"}};
  F.setCallingConv(CallingConv::PTX_Kernel);
  for (const auto &[Ptx, Nvvm] : Names)
    if (const PtxDirective *D = From.directive(Ptx))
      F.addFnAttr(Nvvm,
                  join(map_range(D->Numbers,
                                 [](uint64_t N) { return std::to_string(N); }),
                       ","));
}

/// The name of parameter \p V, unless it is one that a compiler made up.
static StringRef givenName(const PtxVariable &V) {
  auto [Before, Number] = V.Name.rsplit("param_");
  unsigned Index;
  return Number.getAsInteger(10, Index) ? V.Name : StringRef();
}

void ModuleSymbols::declare(const PtxFunction &F) {
  LLVMContext &Context = To.getContext();
  const std::vector<bool> IsPointer = pointerParameters(F);
  SmallVector<Type *, 8> Types;
  // Arrays are returned in memory of the caller.
  Type *Result = Type::getVoidTy(Context);
  if (F.Results.size() == 1 && F.Results[0].NumElements)
    Types.push_back(parameterType(F.Results[0]));
  else if (F.Results.size() == 1)
    Result = parameterType(F.Results[0]);
  for (size_t I = 0; I != F.Parameters.size(); ++I)
    Types.push_back(
        F.IsKernel && IsPointer[I] && !F.Parameters[I].NumElements
            ? PointerType::get(Context,
                               addressSpaceOf(F.Parameters[I].PointerSpace))
            : parameterType(F.Parameters[I]));
  auto *New = Function::Create(FunctionType::get(Result, Types, false),
                               GlobalValue::ExternalLinkage, F.Name, To);
  New->addFnAttr("target-cpu", From.Architecture);
  New->addFnAttr(Attribute::NoUnwind);
  if (F.IsKernel)
    addKernelAttributes(F, *New);
  const size_t First = Types.size() - F.Parameters.size();
  for (size_t I = 0; I != F.Parameters.size(); ++I) {
    const PtxVariable &V = F.Parameters[I];
    Argument *A = New->getArg(unsigned(First + I));
    A->setName(givenName(V));
    AttrBuilder Attributes(Context);
    if (V.NumElements) {
      Attributes.addByValAttr(
          ArrayType::get(Type::getInt8Ty(Context), V.sizeBytes()));
      Attributes.addAlignmentAttr(std::max(1u, V.AlignBytes));
    } else if (A->getType()->isPointerTy() && V.PointeeAlignBytes > 1) {
      Attributes.addAlignmentAttr(V.PointeeAlignBytes);
    }
    A->addAttrs(Attributes);
  }
  Functions[F.Name] = New;
}

/// True if values of \p A and \p B are passed alike.
static bool arePassedAlike(const Type *A, const Type *B) {
  return A->isPointerTy() == B->isPointerTy() &&
         A->getPrimitiveSizeInBits() == B->getPrimitiveSizeInBits();
}

bool ModuleSymbols::fits(const PtxFunction &F, const Function &Prototype) {
  const bool ReturnsArray = F.Results.size() == 1 && F.Results[0].NumElements;
  SmallVector<Type *, 8> Types;
  if (ReturnsArray)
    Types.push_back(parameterType(F.Results[0]));
  for (const PtxVariable &V : F.Parameters)
    Types.push_back(parameterType(V));
  Type *Result = F.Results.empty() || ReturnsArray
                     ? Type::getVoidTy(To.getContext())
                     : parameterType(F.Results[0]);
  return arePassedAlike(Result, Prototype.getReturnType()) &&
         Result->isVoidTy() == Prototype.getReturnType()->isVoidTy() &&
         equal(Types, Prototype.args(), [&](const Type *T, const Argument &A) {
           // Which parameters of a kernel are pointers is seen in its body.
           return (F.IsKernel && A.getType()->isPointerTy()) ||
                  arePassedAlike(T, A.getType());
         });
}

void ModuleSymbols::declareFunctions() {
  for (const PtxFunction &F : From.Functions) {
    if (F.Results.size() > 1) {
      fail(F.Place, "function '" + F.Name +
                        "' returns several values, which "
                        "is not supported");
      return;
    }
    for (const PtxVariable &V : F.Parameters)
      if (!isPowerOf2_32(std::max(1u, V.AlignBytes)) ||
          !isPowerOf2_32(std::max(1u, V.PointeeAlignBytes)))
        fail(F.Place, "parameter '" + V.Name +
                          "' has an alignment that is no power of two");
    if (!Problem.empty())
      return;
    // A prototype before the definition.
    const Function *Prototype = Functions.lookup(F.Name);
    if (!Prototype) {
      declare(F);
    } else if (!fits(F, *Prototype)) {
      fail(F.Place, "function '" + F.Name +
                        "' is declared before with other parameters or "
                        "results");
      return;
    }
  }
}
