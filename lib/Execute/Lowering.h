//===- Lowering.h - What operations of NVPTX become -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_LOWERING_H
#define GPUOCC_LIB_EXECUTE_LOWERING_H

#include "Retarget.h"
#include "WarpPaths.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace gpuocc::execute {

/// Gives each function of \p M with a body a pointer to its thread
/// (ThreadState) as first parameter, and calls the argument: calls of
/// functions with a body, and of pointers. Kernels become functions like
/// others.
void addThreadParameter(llvm::Module &M);

/// Calls gpuoccSaw behind each read of memory that other blocks may change,
/// with the thread, the address, the value and its bytes.
void watchReads(llvm::Module &M);

/// Calls gpuoccLeftLoop where a thread leaves a loop that data end, with the
/// thread, the number of the loop, its turns and which entry of the loop it
/// was. The arguments of \p Kernel are those of the launch. Returns the loops,
/// by number.
std::vector<TurnedLoop> countTurns(llvm::Module &M,
                                   const llvm::Function &Kernel);

/// Numbers the blocks of \p Kernel, which nothing has changed yet, and their
/// accesses, if \p WithAccesses.
PathCode numberPaths(llvm::Function &Kernel, bool WithAccesses);

/// Calls gpuoccIsAt in front of each access that numberPaths() has numbered and
/// at the end of each block, with the thread, the block, the access or
/// PathEvent::NoAccess, and its address.
void tellPaths(llvm::Module &M);

/// Makes inline assembly, which is PTX, IR of NVPTX. What has no form in IR
/// stays assembly of one instruction.
llvm::Error lowerInlineAssembly(llvm::Module &M);

/// Makes quotients by zero and shifts by more than the width what they are on a
/// GPU, which LLVM IR and hosts leave open.
void guardArithmetic(llvm::Module &M);

/// What the functions of a module were found to need.
struct Needs {
  /// Threads meet.
  bool Stacks = false;
  /// Threads look for what other blocks write.
  bool Waits = false;
  /// What beside plain stores shows that a thread has run.
  RunEffects Effects = RunEffects::None;
  /// Places where lanes ask for an operation of their warp.
  uint32_t NumSites = 0;
};

/// The call by which \p Thread asks for \p Operation of its warp
/// (WarpRequest); returns the answer. \p Site numbers the places of a module
/// that ask.
llvm::CallInst *
createMeeting(llvm::IRBuilder<> &B, llvm::Value *Thread, uint32_t Operation,
              uint32_t Site,
              llvm::ArrayRef<llvm::Value *> MaskValueSourceClamp);

/// Replaces the intrinsics of NVPTX and what remains of inline assembly by IR
/// and calls of the functions in RuntimeFunctions.def. Fails, naming it, on the
/// first that cannot be run.
llvm::Expected<Needs> lowerOperations(llvm::Module &M,
                                      const SharedLayout &Layout);

/// Builds code in place of one call.
class CallLowering {
public:
  CallLowering(llvm::CallInst &Call, const SharedLayout &Layout, Needs &Found)
      : Builder(&Call), Call(Call), Layout(Layout), Found(Found) {}

  llvm::IRBuilder<> Builder;
  llvm::CallInst &Call;
  const SharedLayout &Layout;
  Needs &Found;

  llvm::Module &module() { return *Call.getModule(); }
  llvm::Value *operand(unsigned I) { return Call.getArgOperand(I); }
  /// The thread that runs.
  llvm::Value *thread() { return Call.getFunction()->getArg(0); }
  llvm::Value *number(uint64_t N) { return Builder.getInt32(uint32_t(N)); }
  /// A call of the function \p Name of the runtime.
  llvm::Value *callRuntime(llvm::StringRef Name, llvm::Type *Result,
                           llvm::ArrayRef<llvm::Value *> Operands);
  /// The field \p Offset bytes behind \p Base, which does not change while the
  /// kernel runs.
  llvm::Value *field(llvm::Value *Base, uint64_t Offset, llvm::Type *T);
  llvm::Value *block();
};

/// What takes the place of a call of the intrinsic \p Name; null where it
/// cannot be run. Calls without a result return any value.
llvm::Value *lowerIntrinsic(CallLowering &L, llvm::StringRef Name);

// The families of intrinsics: each returns null for others than its own.
llvm::Value *lowerSpecialRegister(CallLowering &L, llvm::StringRef Name);
llvm::Value *lowerMeeting(CallLowering &L, llvm::StringRef Name);
llvm::Value *lowerArithmetic(CallLowering &L, llvm::StringRef Name);
llvm::Value *lowerMemory(CallLowering &L, llvm::StringRef Name);
/// The place in shared memory of block \p Rank of the cluster where the own
/// block has \p Address.
llvm::Value *mapShared(CallLowering &L, llvm::Value *Address,
                       llvm::Value *Rank);

/// Barriers that lie in shared memory (mbarrier), and copies that arrive at
/// them.
llvm::Value *lowerMemoryBarrier(CallLowering &L, llvm::StringRef Name);
/// The instruction with \p Words behind "mbarrier" at \p Object.
llvm::Value *lowerMemoryBarrier(CallLowering &L,
                                llvm::ArrayRef<llvm::StringRef> Words,
                                llvm::Value *Object,
                                llvm::ArrayRef<llvm::Value *> Operands);

/// Products of matrices, and transfers of their parts (mma, wmma, ldmatrix,
/// stmatrix).
llvm::Value *lowerMatrix(CallLowering &L, llvm::StringRef Name);
/// The same for instructions of inline assembly.
llvm::Value *lowerMatrixInstruction(CallLowering &L, llvm::StringRef Text);

/// The same for instructions of textures and surfaces.
llvm::Value *lowerTexture(CallLowering &L, llvm::StringRef Text);

/// What takes the place of inline assembly of one instruction; null where it
/// cannot be run.
llvm::Value *lowerInstruction(CallLowering &L, llvm::StringRef Text);

/// What takes the place of a call by the steps that \p Text means
/// (gpuocc/Kernel/PtxSteps.h): what only computes, each thread for itself. "$0"
/// and so on are the results of the call and then its operands.
llvm::Value *lowerSteps(CallLowering &L, llvm::StringRef Text);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_LOWERING_H
