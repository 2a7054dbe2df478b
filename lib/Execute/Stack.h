//===- Stack.h - Stacks of threads, and changing between them ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_STACK_H
#define GPUOCC_LIB_EXECUTE_STACK_H

#include <cstddef>

namespace gpuocc::execute {

/// Memory for the stacks of the threads of a block. Pages that nobody touches
/// take no memory.
class StackMemory {
public:
  /// \p Count stacks of at least \p Bytes each. Aborts where there is no
  /// address space left.
  StackMemory(size_t Count, size_t Bytes);
  ~StackMemory();
  StackMemory(const StackMemory &) = delete;
  StackMemory &operator=(const StackMemory &) = delete;

  /// The end of stack \p Index, where it begins to grow from.
  char *top(size_t Index) const { return Memory + (Index + 1) * Stride; }

private:
  size_t Stride, TotalBytes;
  char *Memory;
};

/// A stack pointer for switchStack() with which \p Body starts on the stack
/// that ends at \p Top. \p Body never returns.
void *startOfStack(char *Top, void (*Body)());

} // namespace gpuocc::execute

/// Keeps the stack pointer in \p *Save, and goes on with the one that a switch
/// has kept in \p Next, or that startOfStack() has made.
extern "C" void gpuoccSwitchStack(void **Save, void *Next);

#endif // GPUOCC_LIB_EXECUTE_STACK_H
