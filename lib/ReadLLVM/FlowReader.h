//===- FlowReader.h - Blocks, loops and branches ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_FLOWREADER_H
#define GPUOCC_LIB_READLLVM_FLOWREADER_H

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace gpuocc {

class FunctionMap;
class LocationTable;
class OpcodeTable;
struct KernelFacts;

/// Fills successors and post-dominators of the blocks of \p Facts, its loops
/// and its branches from \p MF. Its operations have been read: those of jumps
/// that cost nothing lose their instructions.
void readFlow(const llvm::MachineFunction &MF, FunctionMap &Map,
              OpcodeTable &Opcodes, LocationTable &Locations,
              KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_FLOWREADER_H
