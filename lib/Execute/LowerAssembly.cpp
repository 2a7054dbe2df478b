//===- LowerAssembly.cpp - Inline assembly as IR --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "gpuocc/ReadPtx/LiftPtx.h"
#include "gpuocc/ReadPtx/ParsePtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Linker/Linker.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// Inline assembly of PTX as the function of a PTX file.
class AssemblyFunction {
public:
  AssemblyFunction(CallInst &Call, unsigned Number)
      : Call(Call), Assembly(*cast<InlineAsm>(Call.getCalledOperand())),
        Name("gpuocc.assembly." + std::to_string(Number)), Number(Number) {}

  /// False where an operand has no register.
  bool collect();
  std::string text() const;
  /// Calls \p F, the function of the text, in place of the assembly.
  void replaceBy(Function &F);

  const std::string &name() const { return Name; }

private:
  /// "$0" of the text.
  struct Operand {
    /// The value; null for a result.
    Value *Given = nullptr;
    /// The result that it is the first value of.
    std::optional<unsigned> Tied;
    Type *T = nullptr;
    /// Written as a number.
    bool IsImmediate = false;
    uint64_t Offset = 0;
  };

  static StringRef registerType(Type *T);
  std::string nameOf(unsigned I) const;
  std::string body() const;

  CallInst &Call;
  const InlineAsm &Assembly;
  const std::string Name;
  const unsigned Number;
  SmallVector<Operand, 8> Operands;
  unsigned NumResults = 0;
};

} // namespace

/// The types of the results of a call.
static SmallVector<Type *, 4> resultTypes(Type *T) {
  if (T->isVoidTy())
    return {};
  if (auto *S = dyn_cast<StructType>(T))
    return SmallVector<Type *, 4>(S->elements());
  return {T};
}

bool AssemblyFunction::collect() {
  const SmallVector<Type *, 4> Types = resultTypes(Call.getType());
  unsigned NumGiven = 0;
  uint64_t Offset = 0;
  for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.isIndirect || C.Type == InlineAsm::isLabel || C.Codes.empty())
      return false;
    Operand O;
    if (C.Type == InlineAsm::isOutput) {
      O.T = Types[NumResults++];
      O.Offset = Offset;
      Offset += 16;
    } else {
      O.Given = Call.getArgOperand(NumGiven++);
      O.T = O.Given->getType();
      unsigned Result = 0;
      if (!StringRef(C.Codes[0]).getAsInteger(10, Result))
        O.Tied = Result;
      O.IsImmediate =
          isa<ConstantInt>(O.Given) && (C.Codes[0] == "n" || C.Codes[0] == "i");
    }
    if (registerType(O.T).empty())
      return false;
    Operands.push_back(O);
  }
  return true;
}

StringRef AssemblyFunction::registerType(Type *T) {
  if (T->isFloatTy())
    return "f32";
  if (T->isDoubleTy())
    return "f64";
  if (T->isPointerTy())
    return "b64";
  switch (T->getPrimitiveSizeInBits()) {
  case 1:
    return "pred";
  case 8:
  case 16:
    return "b16";
  case 32:
    return "b32";
  case 64:
    return "b64";
  case 128:
    return "b128";
  default:
    return "";
  }
}

std::string AssemblyFunction::nameOf(unsigned I) const {
  const Operand &O = Operands[I];
  if (O.IsImmediate)
    return itostr(cast<ConstantInt>(O.Given)->getSExtValue());
  return "%gpuocc" + std::to_string(O.Tied.value_or(I));
}

/// The text with registers for its operands.
std::string AssemblyFunction::body() const {
  std::string Out;
  StringRef Text = Assembly.getAsmString();
  while (!Text.empty()) {
    const char C = Text.front();
    Text = Text.drop_front();
    if (C != '$' || Text.empty()) {
      Out += C;
    } else if (isDigit(Text.front())) {
      unsigned I = 0;
      Text.consumeInteger(10, I);
      Out += I < Operands.size() ? nameOf(I) : "?";
    } else if (Text.consume_front("{:uid}")) {
      Out += std::to_string(Number);
    } else if (Text.consume_front("{")) {
      unsigned I = 0;
      Text.consumeInteger(10, I);
      Out += I < Operands.size() ? nameOf(I) : "?";
      Text = Text.split('}').second;
    } else {
      // "$$", and "$(", "$|", "$)" around what is for one dialect.
      Out += Text.front();
      Text = Text.drop_front();
    }
  }
  return Out;
}

std::string AssemblyFunction::text() const {
  std::string Text = ".version 8.7\n.target sm_100a\n.address_size 64\n"
                     ".visible .func " +
                     Name + "(.param .b64 results";
  raw_string_ostream OS(Text);
  auto ParameterType = [](Type *T) {
    const StringRef Register = registerType(T);
    return Register == "pred" ? StringRef("b32") : Register;
  };
  for (auto [I, O] : enumerate(Operands))
    if (O.Given && !O.IsImmediate)
      OS << ", .param ." << ParameterType(O.T) << " p" << I;
  OS << ")\n{\n.reg .b64 %results;\nld.param.b64 %results, [results];\n";
  for (auto [I, O] : enumerate(Operands))
    if (!O.Tied && !O.IsImmediate)
      OS << ".reg ." << registerType(O.T) << ' ' << nameOf(I) << ";\n";
  for (auto [I, O] : enumerate(Operands)) {
    if (!O.Given || O.IsImmediate)
      continue;
    if (O.T->isIntegerTy(1))
      OS << "{ .reg .b32 %wide; ld.param.b32 %wide, [p" << I
         << "]; setp.ne.u32 " << nameOf(I) << ", %wide, 0; }\n";
    else
      OS << "ld.param." << ParameterType(O.T) << ' ' << nameOf(I) << ", [p" << I
         << "];\n";
  }
  OS << body() << "\n";
  for (auto [I, O] : enumerate(Operands)) {
    if (O.Given)
      continue;
    if (O.T->isIntegerTy(1))
      OS << "{ .reg .b32 %wide; selp.u32 %wide, 1, 0, " << nameOf(I)
         << "; st.b32 [%results+" << O.Offset << "], %wide; }\n";
    else
      OS << "st." << registerType(O.T) << " [%results+" << O.Offset << "], "
         << nameOf(I) << ";\n";
  }
  OS << "ret;\n}\n";
  return Text;
}

/// \p V as a value of type \p To, bit by bit.
static Value *convert(IRBuilder<> &B, Value *V, Type *To) {
  if (V->getType() == To)
    return V;
  if (V->getType()->isPointerTy())
    V = B.CreatePtrToInt(V, B.getInt64Ty());
  else if (!V->getType()->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
  if (To->isPointerTy())
    return B.CreateIntToPtr(V, To);
  V = B.CreateZExtOrTrunc(V, B.getIntNTy(To->getPrimitiveSizeInBits()));
  return B.CreateBitCast(V, To);
}

void AssemblyFunction::replaceBy(Function &F) {
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  Value *Results = AtEntry.CreateAlloca(
      AtEntry.getInt128Ty(), AtEntry.getInt32(std::max(NumResults, 1u)));
  IRBuilder<> B(&Call);
  SmallVector<Value *, 8> Given = {
      convert(B, Results, F.getFunctionType()->getParamType(0))};
  for (const Operand &O : Operands)
    if (O.Given && !O.IsImmediate)
      Given.push_back(
          convert(B, O.Given, F.getFunctionType()->getParamType(Given.size())));
  B.CreateCall(&F, Given);
  SmallVector<Value *, 4> Values;
  for (const Operand &O : Operands)
    if (!O.Given) {
      Value *Where =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Results, O.Offset);
      Values.push_back(
          O.T->isIntegerTy(1)
              ? B.CreateTrunc(B.CreateLoad(B.getInt32Ty(), Where), O.T)
              : B.CreateLoad(O.T, Where));
    }
  if (Values.size() == 1 && !Call.getType()->isStructTy()) {
    Call.replaceAllUsesWith(Values.front());
  } else if (!Values.empty()) {
    Value *All = PoisonValue::get(Call.getType());
    for (auto [I, V] : enumerate(Values))
      All = B.CreateInsertValue(All, V, unsigned(I));
    Call.replaceAllUsesWith(All);
  }
  Call.eraseFromParent();
}

/// Adds the function of \p Text, a PTX file, to \p M.
static Function *addFunction(Module &M, StringRef Text, StringRef Name) {
  Expected<PtxModule> Parsed = parsePtx(Text, "inline assembly");
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return nullptr;
  }
  Expected<std::unique_ptr<Module>> Lifted = liftPtx(*Parsed, M.getContext());
  if (!Lifted) {
    consumeError(Lifted.takeError());
    return nullptr;
  }
  (*Lifted)->setDataLayout(M.getDataLayout());
  (*Lifted)->setTargetTriple(M.getTargetTriple());
  if (Linker::linkModules(M, std::move(*Lifted)))
    return nullptr;
  Function *F = M.getFunction(Name);
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::AlwaysInline);
  return F;
}

Error gpuocc::execute::lowerInlineAssembly(Module &M) {
  SmallVector<CallInst *, 16> Calls;
  for (Function &F : M)
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
          Calls.push_back(Call);
  for (auto [I, Call] : enumerate(Calls)) {
    // A fence of the compiler.
    if (StringRef(cast<InlineAsm>(Call->getCalledOperand())->getAsmString())
            .trim()
            .empty() &&
        Call->getType()->isVoidTy()) {
      Call->eraseFromParent();
      continue;
    }
    AssemblyFunction A(*Call, unsigned(I));
    if (!A.collect())
      continue;
    // What cannot be lifted stays, and is named later.
    if (Function *F = addFunction(M, A.text(), A.name()))
      A.replaceBy(*F);
  }
  return Error::success();
}
