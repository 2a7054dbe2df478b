//===- FaultGuard.cpp - Accesses that no memory answers -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultGuard.h"
#include "BlockRun.h"
#include "gpuocc/Kernel/DeviceAddresses.h"
#include <algorithm>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>

using namespace gpuocc;
using namespace gpuocc::execute;

static constexpr size_t StackBytes = 64 << 10;

/// The guard of this thread.
static thread_local FaultGuard *Guard = nullptr;

static struct sigaction BeforeSegv, BeforeBus;

namespace gpuocc::execute {

/// Goes on in place of the access that failed.
[[noreturn]] void landAfterFault() {
  BlockState &Block = *Guard->Running;
  if (Block.Run)
    Block.Run->fail(Block.Run->running());
  std::longjmp(*Block.Failed, 1);
}

/// Makes the interrupted code go on at \p Function, on a stack that ends at
/// \p Top.
static void redirect(ucontext_t &Context, void (*Function)(), char *Top) {
  const auto End = reinterpret_cast<uintptr_t>(Top) & ~uintptr_t(15);
#if defined(__x86_64__)
  Context.uc_mcontext.gregs[REG_RIP] =
      static_cast<greg_t>(reinterpret_cast<uintptr_t>(Function));
  // As behind a call.
  Context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(End - 8);
#else
  Context.uc_mcontext.pc = reinterpret_cast<uintptr_t>(Function);
  Context.uc_mcontext.sp = End;
#endif
}

/// Makes the page of the address of \p Info one that code can use; false where
/// it is none around an allocation.
static bool openSurroundings(int Signal, const siginfo_t &Info) {
  // What the runtime has not mapped at all gives another code.
  constexpr uintptr_t First = FirstDeviceAddress - DevicePageBytes;
  constexpr uintptr_t PageBytes = 4096;
  const auto Address = reinterpret_cast<uintptr_t>(Info.si_addr);
  return Signal == SIGSEGV && Info.si_code == SEGV_ACCERR && Address >= First &&
         Address < EndOfDevice &&
         mprotect(reinterpret_cast<void *>(Address & ~(PageBytes - 1)),
                  PageBytes, PROT_READ | PROT_WRITE) == 0;
}

static Fault faultOf(const BlockState &Running, const void *Address) {
  Fault F;
  F.Address = Address;
  std::copy_n(Running.Index, 3, F.Block);
  if (Running.Run) {
    std::copy_n(Running.Run->running().Index, 3, F.Thread);
    F.KnowsThread = true;
  }
  return F;
}

void handleFault(int Signal, siginfo_t *Info, void *Context) {
  FaultGuard *G = Guard;
  if (G && G->Running && openSurroundings(Signal, *Info)) {
    if (!G->Outside)
      G->Outside = faultOf(*G->Running, Info->si_addr);
    return;
  }
  if (G && G->Running && !G->Found) {
    G->Found = faultOf(*G->Running, Info->si_addr);
    return redirect(*static_cast<ucontext_t *>(Context), landAfterFault,
                    G->LandingStack.get() + StackBytes);
  }
  // Somebody else's: it happens again with the handler that was there.
  sigaction(Signal, Signal == SIGBUS ? &BeforeBus : &BeforeSegv, nullptr);
}

} // namespace gpuocc::execute

static void installHandlers() {
  struct sigaction Action = {};
  Action.sa_sigaction = handleFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Action.sa_mask);
  struct sigaction Current;
  sigaction(SIGSEGV, nullptr, &Current);
  if (Current.sa_sigaction == handleFault)
    return;
  sigaction(SIGSEGV, &Action, &BeforeSegv);
  sigaction(SIGBUS, &Action, &BeforeBus);
}

FaultGuard::FaultGuard()
    : HandlerStack(std::make_unique<char[]>(StackBytes)),
      LandingStack(std::make_unique<char[]>(StackBytes)) {
  static std::mutex Lock;
  {
    std::lock_guard<std::mutex> Held(Lock);
    installHandlers();
  }
  stack_t Stack = {};
  Stack.ss_sp = HandlerStack.get();
  Stack.ss_size = StackBytes;
  sigaltstack(&Stack, &Before);
  Guard = this;
}

FaultGuard::~FaultGuard() {
  Guard = nullptr;
  sigaltstack(&Before, nullptr);
}

void FaultGuard::enter(BlockState *Block) {
  if (Guard)
    Guard->Running = Block;
}
