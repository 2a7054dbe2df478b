//===- FunctionLifter.h - A PTX function to LLVM IR ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READPTX_FUNCTIONLIFTER_H
#define GPUOCC_LIB_READPTX_FUNCTIONLIFTER_H

#include "DebugLines.h"
#include "Mnemonic.h"
#include "ModuleSymbols.h"
#include "ParameterAddresses.h"
#include "StatementBlocks.h"
#include "gpuocc/ReadPtx/PtxModule.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuocc {

/// What instructions are lifted with: values of operands, and the place where
/// code is added.
class FunctionLifter {
public:
  FunctionLifter(ModuleSymbols &Symbols, DebugLines &Lines,
                 const PtxFunction &From, llvm::Function &To);

  /// Lifts the whole body. What is wrong is in ModuleSymbols::Problem.
  void run();

  llvm::IRBuilder<> Builder;

  /// \p O as a value of type \p T: registers are cut or filled with zeros to
  /// its width.
  llvm::Value *read(const PtxOperand &O, llvm::Type *T);
  /// The same with the type of the PTX instruction.
  llvm::Value *read(const PtxOperand &O, const PtxType &T) {
    return read(O, typeOf(T));
  }
  /// Gives the register \p O the value \p V; narrower numbers are extended.
  void write(const PtxOperand &O, llvm::Value *V, bool SignExtend = false);
  /// The type of the register, or of the elements, that \p O names; null when
  /// it is no register.
  llvm::Type *registerType(const PtxOperand &O);
  /// The pointer that the address \p O stands for.
  llvm::Value *address(const PtxOperand &O, unsigned AddressSpace);
  /// The variable in parameter space that \p Name is, or null.
  const PtxStorage *parameter(llvm::StringRef Name);
  const ParameterAddresses &addresses() const { return Addresses; }

  /// The condition code that add.cc and the like leave, 0 or 1.
  llvm::AllocaInst *carry();

  /// The IR type of numbers of type \p T.
  llvm::Type *typeOf(const PtxType &T);
  llvm::IntegerType *intType(unsigned Bits) { return Builder.getIntNTy(Bits); }
  /// \p V with the width and kind of \p T.
  llvm::Value *convert(llvm::Value *V, llvm::Type *T, bool SignExtend = false);

  /// A call of intrinsic \p Name, for \p Overloads where it has several types;
  /// null when LLVM has none or its operands are others.
  llvm::Value *intrinsic(const llvm::Twine &Name,
                         llvm::ArrayRef<llvm::Value *> Operands,
                         llvm::ArrayRef<llvm::Type *> Overloads = {});

  /// The block of label \p Name; null after it has failed.
  llvm::BasicBlock *label(llvm::StringRef Name);
  /// Code that follows cannot be reached until there is a label.
  void startUnreachable();
  /// The operands of ".branchtargets" or ".calltargets" \p Name; null when
  /// there is none.
  const PtxStatement *targets(llvm::StringRef Name);

  void liftReturn();

  /// Notes that \p Name is not declared.
  void failUnknown(llvm::StringRef What, llvm::StringRef Name);

  ModuleSymbols &symbols() { return Symbols; }
  llvm::Function &function() { return To; }

private:
  /// What a name means in a block of the body.
  struct Scope {
    unsigned Parent = 0;
    /// Registers, with the type of their kind.
    llvm::StringMap<llvm::AllocaInst *> Registers;
    /// "%r" of ".reg .b32 %r<10>".
    llvm::StringMap<const PtxVariable *> Ranges;
    llvm::StringMap<PtxStorage> Variables;
    llvm::StringMap<llvm::BasicBlock *> Labels;
    llvm::StringMap<const PtxStatement *> Targets;
  };

  void collectLabels();
  void declareParameters();
  void declareResults();
  void declare(const PtxVariable &V);
  llvm::AllocaInst *addRegister(llvm::StringRef Name, const PtxVariable &V);
  llvm::AllocaInst *findRegister(llvm::StringRef Name);
  const PtxStorage *findVariable(llvm::StringRef Name);
  llvm::AllocaInst *addAlloca(llvm::Type *T, llvm::StringRef Name);

  void liftStatement(size_t Index);
  void liftInstruction(size_t Index);
  void beginGuard(size_t Index);
  bool goesOnWithGuard(size_t Index);
  void markLoops();
  void markParameters();

  llvm::Value *readName(const PtxOperand &O, llvm::Type *T);
  llvm::Value *readParts(const PtxOperand &O, llvm::Type *T);
  llvm::Value *readFloat(const PtxOperand &O, llvm::Type *T);
  llvm::Value *specialRegister(llvm::StringRef Name);
  void writeParts(const PtxOperand &O, llvm::Value *V);
  void finish();

  ModuleSymbols &Symbols;
  DebugLines &Lines;
  const PtxFunction &From;
  llvm::Function &To;
  const ParameterAddresses Addresses;
  StatementBlocks Owners;
  std::vector<Scope> Scopes;
  /// The scope of each statement of the body.
  std::vector<unsigned> ScopeOf;
  unsigned Current = 0;
  PtxPlace Place;
  std::vector<llvm::AllocaInst *> Registers;
  llvm::AllocaInst *Carry = nullptr;
  /// Scalar parameters and results of functions, which are registers too where
  /// they are passed whole.
  std::vector<llvm::AllocaInst *> Passed;
  /// Where the variables of the function are made.
  llvm::BasicBlock *Entry = nullptr;
  /// What a guarded instruction goes on at; null while there is no guard.
  llvm::BasicBlock *Join = nullptr;
  unsigned NumGuarded = 0;
  /// Storage of the result, if there is one.
  const PtxStorage *Result = nullptr;
  /// Headers of loops that are not to be unrolled.
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> NotUnrolled;
};

/// Lifts \p S, of the mnemonic \p Op; false when LLVM has no form for it.
using LiftInstruction = bool (*)(FunctionLifter &L, const PtxStatement &S,
                                 const PtxMnemonic &Op);

/// An instruction, by the first word of its mnemonic.
struct LiftRow {
  llvm::StringLiteral Word;
  LiftInstruction Lift;
};

// The families of instructions, each a table.
llvm::ArrayRef<LiftRow> arithmeticRows();
llvm::ArrayRef<LiftRow> functionRows();
llvm::ArrayRef<LiftRow> bitRows();
llvm::ArrayRef<LiftRow> selectRows();
llvm::ArrayRef<LiftRow> convertRows();
llvm::ArrayRef<LiftRow> memoryRows();
llvm::ArrayRef<LiftRow> atomicRows();
llvm::ArrayRef<LiftRow> warpRows();
llvm::ArrayRef<LiftRow> matrixRows();
llvm::ArrayRef<LiftRow> flowRows();

/// Lifts \p S as inline assembly.
void liftAsAssembly(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op);

/// Gives each of \p Registers the type, whole or floating-point number, that
/// most of its uses have.
void chooseRegisterTypes(std::vector<llvm::AllocaInst *> &Registers);

/// Converts equal values of \p F once, as ptxas does: nvcc leaves apart what
/// assembly in headers converts, halves to floats for one.
void shareConversions(llvm::Function &F, const llvm::DominatorTree &Dominators);

/// Fuses products of \p F with the sums that alone read them where neither says
/// how it is rounded. The PTX ISA lets ptxas do so ("add", "mul"), and nvcc
/// leaves it to ptxas for halves.
void fuseProducts(llvm::Function &F);

} // namespace gpuocc

#endif // GPUOCC_LIB_READPTX_FUNCTIONLIFTER_H
