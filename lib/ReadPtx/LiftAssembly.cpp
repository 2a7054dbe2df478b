//===- LiftAssembly.cpp - PTX instructions as inline assembly -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "gpuocc/ReadPtx/ParsePtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace gpuocc;
using namespace llvm;

/// First words of instructions without a result although a register or a
/// number comes first.
static constexpr StringLiteral WithoutResult[] = {
    "bar",    "barrier", "nanosleep", "setmaxnreg", "griddepcontrol",
    "wgmma",  "brx",     "call",      "pmevent",    "fence",
    "membar", "st",      "red",       "cp",         "tcgen05"};

/// First words of instructions that do nothing but compute their result.
static constexpr StringLiteral Pure[] = {
    "add",       "addc",     "sub",      "subc",  "mul",        "mad",
    "madc",      "fma",      "div",      "rem",   "min",        "max",
    "abs",       "neg",      "sad",      "mul24", "mad24",      "cvt",
    "ex2",       "lg2",      "tanh",     "sin",   "cos",        "rcp",
    "sqrt",      "rsqrt",    "bfe",      "bfi",   "bfind",      "bmsk",
    "szext",     "fns",      "lop3",     "prmt",  "shf",        "cnot",
    "set",       "setp",     "selp",     "testp", "copysign",   "dp4a",
    "dp2a",      "mma",      "isspacep", "mapa",  "getctarank", "vadd",
    "vsub",      "vabsdiff", "vmin",     "vmax",  "vshl",       "vshr",
    "vmad",      "vset",     "vadd2",    "vsub2", "vavrg2",     "vabsdiff2",
    "vmin2",     "vmax2",    "vset2",    "vadd4", "vsub4",      "vavrg4",
    "vabsdiff4", "vmin4",    "vmax4",    "vset4"};

namespace {

/// Text, operands and results of one statement.
class Assembly {
public:
  Assembly(FunctionLifter &L, const PtxStatement &S, const PtxMnemonic &Op)
      : L(L), S(S), Op(Op) {}

  void lift() {
    collectResults();
    WritesCarry = Op.has("cc") && !Results.empty();
    std::string Text;
    raw_string_ostream OS(Text);
    OS << Op.Text;
    StringRef Before = " ";
    for (const PtxOperand &O : S.Operands) {
      OS << Before;
      print(O, OS);
      Before = ", ";
    }
    OS << ';';
    addCarry(Text);
    emit(Text);
  }

private:
  /// Is the first operand, or are the registers in it, what is computed?
  bool hasResult() const {
    if (S.Operands.empty())
      return false;
    if (is_contained(WithoutResult, Op.first()))
      return Op.first() == "wgmma" && Op.has("mma_async");
    using Kind = PtxOperand::Kind;
    const Kind K = S.Operands.front().K;
    return K == Kind::Name || K == Kind::Vector;
  }

  /// The carry is no operand in PTX. Comments say which one it is here
  /// (gpuocc/Kernel/PtxSteps.h).
  void addCarry(std::string &Text) {
    const StringRef Word = Op.first();
    if (Word == "addc" || Word == "subc" || Word == "madc") {
      Inputs.push_back(L.Builder.CreateLoad(L.intType(32), L.carry()));
      Text = "// carry = $" + std::to_string(numResults() + Inputs.size() - 1) +
             "\n" + Text;
    }
    if (WritesCarry)
      Text += "\n// $" + std::to_string(Results.size()) + " = carry";
  }

  /// Those of the instruction and the carry.
  size_t numResults() const { return Results.size() + WritesCarry; }

  void collectResults() {
    if (!hasResult())
      return;
    const PtxOperand &First = S.Operands.front();
    if (First.K == PtxOperand::Kind::Vector)
      for (const PtxOperand &O : First.Elements)
        addResult(O);
    else
      addResult(First);
    if (!First.Second.empty()) {
      PtxOperand Second = First;
      Second.Name = First.Second;
      Second.Second = StringRef();
      addResult(Second);
    }
  }

  void addResult(const PtxOperand &O) {
    if (L.registerType(O))
      Results.push_back(O);
  }

  static StringRef constraintOf(Type *T) {
    if (T->isFloatTy())
      return "f";
    if (T->isDoubleTy())
      return "d";
    switch (T->getPrimitiveSizeInBits()) {
    case 1:
      return "b";
    case 16:
      return "h";
    case 64:
      return "l";
    case 128:
      return "q";
    default:
      return "r";
    }
  }

  /// The number of the result \p Name, or of a new operand.
  std::string numberOf(const PtxOperand &O) {
    if (!InputsOnly)
      for (auto [I, R] : enumerate(Results))
        if (R.Name == O.Name)
          return "$" + std::to_string(I);
    Type *T = L.registerType(O);
    if (!T)
      T = L.intType(64);
    PtxOperand Plain = O;
    Plain.Number = 0;
    Plain.Negated = false;
    Plain.K = PtxOperand::Kind::Name;
    Inputs.push_back(L.read(Plain, T));
    return "$" + std::to_string(numResults() + Inputs.size() - 1);
  }

  void printAll(ArrayRef<PtxOperand> Operands, raw_ostream &OS) {
    ListSeparator Comma;
    for (const PtxOperand &O : Operands) {
      OS << Comma;
      print(O, OS);
    }
  }

  void printName(const PtxOperand &O, raw_ostream &OS) {
    OS << (O.Name == "_" ? std::string("_") : numberOf(O));
    if (!O.Second.empty()) {
      PtxOperand Second = O;
      Second.Name = O.Second;
      OS << '|' << (Second.Name == "_" ? std::string("_") : numberOf(Second));
    }
  }

  void print(const PtxOperand &O, raw_ostream &OS) {
    using Kind = PtxOperand::Kind;
    // Operands behind the first are read although they are written too.
    const bool IsFirst = &O == S.Operands.begin();
    if (IsFirst)
      InputsOnly = false;
    if (O.Negated)
      OS << '!';
    switch (O.K) {
    case Kind::Name:
      printName(O, OS);
      break;
    case Kind::Address:
      OS << '[';
      if (O.Name.empty())
        OS << O.Number;
      else
        OS << numberOf(O);
      if (!O.Name.empty() && O.Number != 0)
        OS << '+' << O.Number;
      if (!O.Elements.empty())
        OS << ", ";
      printAll(O.Elements, OS);
      OS << ']';
      break;
    case Kind::Vector:
    case Kind::List:
      OS << (O.K == Kind::Vector ? '{' : '(');
      printAll(O.Elements, OS);
      OS << (O.K == Kind::Vector ? '}' : ')');
      break;
    default:
      printPtxOperand(O, OS);
    }
    if (IsFirst)
      InputsOnly = true;
  }

  void emit(StringRef Text) {
    std::string Constraints;
    SmallVector<Type *, 8> ResultTypes, InputTypes;
    auto Add = [&](const Twine &C) {
      if (!Constraints.empty())
        Constraints += ',';
      Constraints += C.str();
    };
    for (const PtxOperand &R : Results) {
      ResultTypes.push_back(L.registerType(R));
      Add("=" + constraintOf(ResultTypes.back()));
    }
    if (WritesCarry) {
      ResultTypes.push_back(L.intType(32));
      Add("=r");
    }
    for (Value *V : Inputs)
      Add(constraintOf(V->getType()));
    // Accumulators are added to.
    if (Op.first() == "wgmma" && !Results.empty())
      for (auto [I, R] : enumerate(Results)) {
        Inputs.push_back(L.read(R, ResultTypes[I]));
        Add(Twine(I));
      }
    for (Value *V : Inputs)
      InputTypes.push_back(V->getType());
    LLVMContext &Context = L.Builder.getContext();
    Type *Returned = ResultTypes.empty() ? Type::getVoidTy(Context)
                     : ResultTypes.size() == 1
                         ? ResultTypes.front()
                         : StructType::get(Context, ResultTypes);
    Value *Call = L.Builder.CreateCall(
        InlineAsm::get(FunctionType::get(Returned, InputTypes, false), Text,
                       Constraints,
                       /*hasSideEffects=*/!is_contained(Pure, Op.first())),
        Inputs);
    for (auto [I, R] : enumerate(Results))
      L.write(R, ResultTypes.size() == 1
                     ? Call
                     : L.Builder.CreateExtractValue(Call, unsigned(I)));
    if (WritesCarry)
      L.Builder.CreateStore(
          L.Builder.CreateExtractValue(Call, unsigned(Results.size())),
          L.carry());
  }

  FunctionLifter &L;
  const PtxStatement &S;
  const PtxMnemonic &Op;
  /// The registers that are written.
  SmallVector<PtxOperand, 4> Results;
  SmallVector<Value *, 8> Inputs;
  bool WritesCarry = false;
  bool InputsOnly = true;
};

} // namespace

void gpuocc::liftAsAssembly(FunctionLifter &L, const PtxStatement &S,
                            const PtxMnemonic &Op) {
  Assembly(L, S, Op).lift();
}
