//===- KernelFacts.h - What the code of a kernel does ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// KernelFacts is what every reader fills and what everything downstream reads.
/// It knows neither a device nor a launch: counts, addresses and conditions are
/// expressions (operations) that gpuocc/Lanes evaluates for a launch.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_KERNELFACTS_H
#define GPUOCC_KERNEL_KERNELFACTS_H

#include "gpuocc/Kernel/Operation.h"
#include "gpuocc/Support/Known.h"
#include "gpuocc/Support/Mechanism.h"
#include "gpuocc/Support/SourceLocation.h"
#include <array>
#include <string>
#include <vector>

namespace gpuocc {

/// State space of a memory access.
enum class MemorySpace : uint8_t {
  Global,
  Shared,
  Local,
  Constant,
  Texture,
  Param,
  Generic
};

/// What a memory access does.
enum class AccessKind : uint8_t { Load, Store, Atomic, Reduction, AsyncCopy };

/// With or without a result.
inline bool isAtomic(AccessKind K) {
  return K == AccessKind::Atomic || K == AccessKind::Reduction;
}

/// What becomes of the lanes of an atomic before memory sees them.
enum class LaneCombining : uint8_t {
  /// Each lane is an operation of its own.
  None,
  /// The assembler adds the lanes up in the warp and one lane acts for all.
  OneLane,
  /// Shared memory counts the lanes of each address in one pass.
  ByAddress,
  /// A compare-and-swap of lanes that try again until they succeed, one lane of
  /// an address a time: those that fail do so together.
  Retried
};

/// Words of the report: "global", "load", ...
llvm::StringRef memorySpaceText(MemorySpace S);
llvm::StringRef accessKindText(AccessKind K);
/// "none", "one lane", "by address", "retried".
llvm::StringRef laneCombiningText(LaneCombining C);

/// One memory operation.
struct MemoryAccess {
  uint32_t Op = NoIndex;
  MemorySpace Space = MemorySpace::Generic;
  AccessKind Kind = AccessKind::Load;
  /// Bytes that one lane moves (16 for a float4).
  unsigned BytesPerLane = 4;
  /// Address of a lane: Base + OffsetBytes.
  Operand Base;
  int64_t OffsetBytes = 0;
  /// AsyncCopy only: the shared-memory side (Base is the global side).
  Operand SharedBase;
  int64_t SharedOffsetBytes = 0;
  /// One thread starts it and a copy engine moves BytesPerLane bytes between
  /// global and shared memory (cp.async.bulk): L1 and registers see none.
  bool Bulk = false;
  /// Dimensions of the tensor or texture that coordinates choose a tile or an
  /// element of; Base then holds them (gpuocc/Kernel/Coordinates.h). 0: the
  /// bytes lie one behind the other.
  uint8_t Rank = 0;
  /// Bulk copies whose bytes code computes: the place of their number among the
  /// operands of Op. NoIndex: BytesPerLane is what the code says.
  uint32_t BytesOperand = NoIndex;
  /// The code does not say BytesPerLane, which is taken for it.
  bool WidthAssumed = false;
  /// Through the read-only path (ld.global.nc).
  bool NonCoherent = false;
  bool Volatile = false;
  /// Sees what other SMs released: L1 forgets global memory behind it.
  bool Acquires = false;
  /// Loads: bits of the register that a narrower signed number is extended to;
  /// 0 where what was loaded is not, or is followed by zeros.
  uint8_t SignExtendedTo = 0;
  /// So many of the first lanes give addresses; the others' do not count
  /// (ldmatrix of one matrix: 8, of two: 16).
  uint8_t AddressLanes = 32;
  /// Stores: the values of a lane in the order of their addresses, BytesPerLane
  /// divided by their number wide each; empty if not known.
  llvm::SmallVector<Operand, 1> Stored;
  /// "add", "cas", ... for atomics.
  std::string AtomicOp;
  /// Atomics: the words hold floating-point numbers.
  bool OnFloats = false;
  LaneCombining Combining = LaneCombining::None;
  bool operator==(const MemoryAccess &) const = default;
};

/// A conditional or indexed branch, or a predicated exit.
struct Branch {
  uint32_t Op = NoIndex;
  uint32_t Block = NoIndex;
  /// Two-way: the predicate; indexed: the index.
  Operand Condition;
  bool Negated = false;
  bool Indexed = false;
  /// Two-way: block if the predicate holds, block if not. Indexed: targets.
  llvm::SmallVector<uint32_t, 2> Targets;
  /// A guess of what was read (see Guess.h), one half for none: probability
  /// that the first target is taken when the condition depends on loaded data,
  /// with its reason ("the other side ends in a trap").
  double TakenPrior = 0.5;
  std::string PriorReason;
  Mechanism PriorBy = Mechanism::TrapProbability;
  bool operator==(const Branch &) const = default;
};

/// A maximal straight-line stretch of operations.
struct BasicBlock {
  std::string Name;
  /// Operations [FirstOp, FirstOp + NumOps) in program order.
  uint32_t FirstOp = 0, NumOps = 0;
  llvm::SmallVector<uint32_t, 2> Successors;
  /// Index in KernelFacts::Branches when the block ends in one.
  uint32_t Branch = NoIndex;
  /// Innermost loop, an index in KernelFacts::Loops.
  uint32_t Loop = NoIndex;
  /// Immediate post-dominator, where lanes that part at the end of this block
  /// meet again; NoIndex is the end of the kernel.
  uint32_t PostDominator = NoIndex;
  /// The block that this one is predicated into: the assembler issues its
  /// operations in every execution of that block, in the lanes that take the
  /// branch there. NoIndex: reached by a branch instruction.
  uint32_t PredicatedInto = NoIndex;
  bool operator==(const BasicBlock &) const = default;
};

/// A natural loop.
struct Loop {
  uint32_t Header = NoIndex;
  uint32_t Parent = NoIndex;
  unsigned Depth = 1;
  /// Blocks of the loop and of the loops in it, header first.
  std::vector<uint32_t> Blocks;
  std::vector<uint32_t> Latches;
  uint32_t Location = NoIndex;
  /// The compiler told the assembler not to unroll it.
  bool NoUnroll = false;
  /// Iterations that the assembler puts into one pass through the body; the
  /// emissions of operations are already per iteration.
  unsigned UnrolledBy = 1;
  bool operator==(const Loop &) const = default;
};

/// A formal parameter of the kernel.
struct Parameter {
  std::string Name;
  uint64_t OffsetBytes = 0;
  uint64_t SizeBytes = 0;
  /// Known alignment of what a pointer points to; 1 if unknown.
  uint64_t PointeeAlignBytes = 1;
  bool IsPointer = false;
  bool IsFloat = false;
  bool operator==(const Parameter &) const = default;
};

/// A variable in shared, constant, global or local memory.
struct Symbol {
  std::string Name;
  MemorySpace Space = MemorySpace::Shared;
  uint64_t SizeBytes = 0;
  uint64_t AlignBytes = 1;
  /// Shared: offset in the static shared memory of the kernel. Dynamic
  /// (extern) shared memory follows the static variables.
  uint64_t OffsetBytes = 0;
  bool IsDynamicShared = false;
  /// What the code says that a variable in constant or global memory holds at
  /// the begin: hexadecimal digits, two a byte. Empty where it says nothing,
  /// only zeros, or too much.
  std::string Contents;
  /// Nothing may change that.
  bool IsReadOnly = false;
  bool operator==(const Symbol &) const = default;
};

/// What the source promises about launches; 0 means nothing promised.
struct LaunchBounds {
  unsigned MaxThreads = 0;
  unsigned MinBlocksPerSm = 0;
  unsigned MaxRegisters = 0;
  std::array<unsigned, 3> RequiredBlock = {0, 0, 0};
  std::array<unsigned, 3> Cluster = {0, 0, 0};
  bool operator==(const LaunchBounds &) const = default;
};

/// What the assembler advises about a kernel that it assembled.
struct AssemblerAdvisory {
  /// "C7510"; empty where it has no number.
  std::string Code;
  std::string Text;
  /// The line that it is about; an invalid place where it names none.
  SourcePlace Place;
  bool operator==(const AssemblerAdvisory &) const = default;
};

/// Registers and memory that the assembler gave the kernel.
struct ResourceUse {
  unsigned RegistersPerThread = 0;
  /// "ptxas 13.0", "estimate", "nvcc log FILE".
  std::string Source;
  bool IsEstimate = true;
  uint64_t StackBytes = 0;
  uint64_t SpillStoreBytes = 0;
  uint64_t SpillLoadBytes = 0;
  /// Of the slots that withSpillCode() wrote: bytes per thread that hold a
  /// value at a time.
  uint64_t SpilledAtOnceBytes = 0;
  unsigned Barriers = 0;
  /// The register limit that the assembler was given; 0 when none.
  unsigned RegisterLimit = 0;
  std::vector<AssemblerAdvisory> Advisories = {};
  bool operator==(const ResourceUse &) const = default;
};

/// Something that could not be read, with the reason.
struct AnalysisGap {
  uint32_t Location = NoIndex;
  std::string What;
  /// Work of unknown size is missing from the instructions of the operations at
  /// Location: nothing is known of what a call leads to, or of how often.
  bool LacksWork = false;
  bool operator==(const AnalysisGap &) const = default;
};

/// The code that operations are read from.
enum class MachineView : uint8_t {
  Unknown,
  /// The compiler's machine instructions, or PTX.
  Mir,
  /// What the assembler makes of them.
  Sass
};

/// The word for \p V in facts: "mir", "sass", or nothing.
llvm::StringRef machineViewKey(MachineView V);

/// Everything a reader says about a kernel. Block 0 is the entry.
struct KernelFacts {
  std::string Name;
  std::string Demangled;
  /// "sm_90".
  std::string Architecture;
  MachineView View = MachineView::Unknown;
  /// Whose code it is: "nvcc 13.0", "clang", "clang, as nvcc reads it", "given
  /// PTX", "given module"; empty: nobody said.
  std::string BuiltBy;
  SourcePlace Place;

  LaunchBounds Bounds;
  std::vector<Parameter> Parameters;
  std::vector<Symbol> Symbols;
  uint64_t StaticSharedBytes = 0;
  bool UsesDynamicShared = false;
  ResourceUse Resources;
  /// What the assembler makes of the kernel under register limits, descending;
  /// empty unless somebody asked.
  std::vector<ResourceUse> LimitedResources;

  SourceLocations Locations;
  std::vector<Operation> Operations;
  std::vector<BasicBlock> Blocks;
  std::vector<Loop> Loops;
  std::vector<MemoryAccess> Accesses;
  std::vector<Branch> Branches;
  std::vector<AnalysisGap> Gaps;

  /// The operation whose result \p O is; null for constants and the like.
  const Operation *operationOf(const Operand &O) const {
    return O.isValue() && O.Index < Operations.size() ? &Operations[O.Index]
                                                      : nullptr;
  }

  /// Machine instructions of one execution of \p Block.
  double instructionsOf(uint32_t Block) const {
    const BasicBlock &B = Blocks[Block];
    double Count = 0;
    for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op)
      for (const Emission &E : Operations[Op].Emits)
        Count += E.Count;
    return Count;
  }

  /// The place of location \p Index, innermost first; an invalid place when
  /// there is none.
  SourcePlace placeOf(uint32_t LocationIndex) const {
    if (LocationIndex >= Locations.size() ||
        !Locations[LocationIndex].isValid())
      return SourcePlace();
    return Locations[LocationIndex].innermost();
  }

  /// True if operations are in the order in which they issue; otherwise the
  /// assembler will still move them.
  bool isInIssueOrder() const { return View == MachineView::Sass; }

  bool operator==(const KernelFacts &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_KERNELFACTS_H
