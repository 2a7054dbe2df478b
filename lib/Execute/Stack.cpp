//===- Stack.cpp - Stacks of threads, and changing between them -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stack.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

using namespace gpuocc::execute;

static constexpr size_t PageBytes = 4096;

/// Stacks a multiple of a page apart share the same few sets of the caches;
/// these bytes more spread them.
static constexpr size_t SpreadBytes = 320;

StackMemory::StackMemory(size_t Count, size_t Bytes)
    : Stride((Bytes + PageBytes - 1) / PageBytes * PageBytes + SpreadBytes),
      TotalBytes(Stride * Count + PageBytes) {
  void *Place = mmap(nullptr, TotalBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Place == MAP_FAILED) {
    std::perror("no memory for the stacks of threads");
    std::abort();
  }
  Memory = static_cast<char *>(Place);
}

StackMemory::~StackMemory() { munmap(Memory, TotalBytes); }

// What a call keeps is pushed, and popped from the other stack. Boost.Context
// does the same with the control words of floating-point units, and jumps where
// this returns: lanes mostly switch at the same place, so that processors,
// which count calls and returns, know where this goes and where all returns
// behind it go.
#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl gpuoccSwitchStack
.hidden gpuoccSwitchStack
.type gpuoccSwitchStack,@function
gpuoccSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size gpuoccSwitchStack, .-gpuoccSwitchStack
)");
static constexpr size_t KeptWords = 6;
static constexpr size_t BodyWord = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl gpuoccSwitchStack
.hidden gpuoccSwitchStack
.type gpuoccSwitchStack,%function
gpuoccSwitchStack:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size gpuoccSwitchStack, .-gpuoccSwitchStack
)");
static constexpr size_t KeptWords = 20;
static constexpr size_t BodyWord = 11;
#else
#error "kernels run on x86-64 and AArch64 only"
#endif

void *gpuocc::execute::startOfStack(char *Top, void (*Body)()) {
  // A call leaves the stack 16 bytes aligned and its return address, or
  // nothing, on it.
  auto End = (uintptr_t(Top) - 128) & ~uintptr_t(15);
#if defined(__x86_64__)
  // Behind the body's address stands what would be its return address.
  auto *Words = reinterpret_cast<uintptr_t *>(End) - KeptWords - 2;
#else
  auto *Words = reinterpret_cast<uintptr_t *>(End) - KeptWords;
#endif
  for (size_t I = 0; I != KeptWords; ++I)
    Words[I] = 0;
  Words[BodyWord] = reinterpret_cast<uintptr_t>(Body);
  return Words;
}
