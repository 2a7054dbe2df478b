//===- RegisterPressure.cpp - Registers that code keeps alive -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/RegisterPressure.h"
#include "HeldAddresses.h"
#include "PressureSchedule.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <map>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned LanesPerWarp = 32;

unsigned RegisterFile::perThread(unsigned Warps) const {
  unsigned Unit = std::max(AllocationUnit / LanesPerWarp, 1u);
  unsigned Each = RegistersPerSm / (std::max(Warps, 1u) * LanesPerWarp);
  return std::min(Each / Unit * Unit, MostPerThread);
}

// What ptxas counts beside values, in the SASS of 150 kernels for sm_90.
/// R1 is the stack pointer of every kernel.
static constexpr unsigned StackPointer = 1;
/// "Used N registers" is 2 more than the highest register in the code, always.
static constexpr unsigned UncodedRegisters = 2;
static_assert(RegistersBesideValues == StackPointer + UncodedRegisters);
/// Holes in the numbering where most registers are alive (pairs are aligned):
/// 2 in the median while the allocator need not save, 1 when it must.
static constexpr unsigned HolesAtEase = 2, HolesUnderPressure = 1;

/// Registers that an operation of many instructions takes besides its operands
/// and its result: those of its slow path, which is a function of ptxas's own.
/// Found with ptxas 13.0 for sm_90 as the registers that a kernel with 40
/// values alive takes more with the operation than without.
static unsigned temporariesOf(const Operation &Op) {
  const bool IsWide = Op.Bits == 64;
  // RCP.approx and its relatives are one instruction.
  const bool IsApproximate = Op.Imm == 1;
  switch (Op.What) {
  case Semantics::FDiv:
    return IsApproximate ? 0 : IsWide ? 12 : 6;
  case Semantics::FRcp:
    return IsApproximate ? 0 : IsWide ? 5 : 6;
  case Semantics::FSqrt:
    return IsWide && !IsApproximate ? 8 : 0;
  case Semantics::FRsqrt:
    return IsWide && !IsApproximate ? 5 : 0;
  case Semantics::DivS:
  case Semantics::RemS:
    return IsWide ? 12 : 6;
  case Semantics::DivU:
  case Semantics::RemU:
    return IsWide ? 8 : 6;
  default:
    break;
  }
  // What is alive across a call is kept from R16 on; below are the arguments
  // and what the callee may overwrite, R1 and R0 among them.
  constexpr unsigned FirstKept = 16;
  return Op.What == Semantics::Opaque && isCall(Op)
             ? FirstKept - StackPointer - UncodedRegisters
             : 0;
}

namespace {

/// How the assembler orders the code of blocks.
enum class CodeOrder : uint8_t { AsWritten, HidingLatency, SavingRegisters };

/// Whether PressurePeak::LiveAcross is filled.
enum class PeakDetail : uint8_t { Registers, Values };

class Pressure {
public:
  Pressure(const KernelFacts &Facts, RegisterUse Use)
      : Facts(Facts), Values(Facts, Use), LiveIn(Facts.Blocks.size()),
        LoadedBefore(Facts.Loops.size()) {
    if (Use == RegisterUse::AtEase)
      findLoadedBefore();
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      Code.push_back(codeOfBlock(Facts, B, Values));
    flow();
  }

  /// Orders code: needed before peak(), and nothing else is asked then.
  void schedule() {
    for (const Region &Blocks : regionsOf(Facts))
      addScheduled(Blocks);
  }

  /// Nothing else is asked then.
  RegisterFlow take() {
    RegisterFlow Flow;
    for (uint32_t V = 0; V != Values.size(); ++V) {
      Flow.Words.push_back(uint8_t(Values.words(V)));
      Flow.MadeBy.push_back(Values.operationOf(V));
    }
    Flow.OfOperation.resize(Facts.Operations.size());
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      Flow.LiveOut.push_back(liveOut(B));
      for (CodeNode &N : Code[B])
        Flow.OfOperation[N.Op] = {std::move(N.Uses), std::move(N.Defs)};
    }
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Op.What != Semantics::Phi)
        continue;
      for (const Operand &O : Op.Operands)
        Values.appendTo(O, Flow.OfOperation[I].Uses);
      for (uint32_t V = Values.firstOf(I); V != Values.endOf(I); ++V)
        if (Values.words(V) != 0)
          Flow.OfOperation[I].Defs.push_back(V);
    }
    Flow.LiveIn = std::move(LiveIn);
    return Flow;
  }

  /// Where most registers are alive; values by decreasing distance to their
  /// next use; of the code of \p Loop, unless that is NoIndex. A peak of
  /// \p Ceiling or more need not be the highest.
  PressurePeak peak(CodeOrder Order, PeakDetail Detail, uint32_t Loop,
                    unsigned Ceiling = std::numeric_limits<unsigned>::max()) {
    PressurePeak Peak;
    for (const ScheduledCode &Code : Scheduled)
      if (Peak.Registers < Ceiling &&
          (Loop == NoIndex ||
           is_contained(Facts.Loops[Loop].Blocks, Code.FirstBlock)))
        findPeak(Code, Order, Detail, Peak);
    return Peak;
  }

private:
  /// What is scheduled as one.
  struct ScheduledCode {
    StraightCode Code;
    /// Values alive behind it.
    BitVector LiveOut;
    /// Registers of pointers that are loaded before it.
    unsigned LoadedWords = 0;
    uint32_t FirstBlock = NoIndex;
  };

  const KernelFacts &Facts;
  RegisterValues Values;
  /// By block, until regions take it.
  std::vector<std::vector<CodeNode>> Code;
  std::vector<BitVector> LiveIn;
  std::vector<ScheduledCode> Scheduled;
  /// By loop: pointers among the parameters that are loaded before it and not
  /// where they are added to, as long as there are registers (ptxas 13.0, LDC).
  std::vector<SmallVector<uint32_t, 4>> LoadedBefore;

  bool isInside(uint32_t Block, uint32_t Loop) const {
    uint32_t L = Facts.Blocks[Block].Loop;
    while (L != NoIndex && L != Loop)
      L = Facts.Loops[L].Parent;
    return L == Loop;
  }

  /// True if \p Block is executed in each iteration of \p Loop.
  bool isInEachIteration(uint32_t Block, uint32_t Loop) const {
    uint32_t B = Facts.Loops[Loop].Header;
    while (B != NoIndex && B != Block && isInside(B, Loop))
      B = Facts.Blocks[B].PostDominator;
    return B == Block;
  }

  /// The outermost loop of which each iteration executes \p Block; NoIndex if
  /// none does.
  uint32_t loopToLeave(uint32_t Block) const {
    uint32_t Outermost = NoIndex;
    for (uint32_t L = Facts.Blocks[Block].Loop;
         L != NoIndex && isInEachIteration(Block, L);
         L = Facts.Loops[L].Parent) {
      Outermost = L;
      Block = Facts.Loops[L].Header;
    }
    return Outermost;
  }

  void findLoadedBefore() {
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
      const uint32_t L = loopToLeave(B);
      if (L == NoIndex)
        continue;
      const BasicBlock &Block = Facts.Blocks[B];
      for (uint32_t I = Block.FirstOp; I != Block.FirstOp + Block.NumOps; ++I)
        if (Values.isWritten(I))
          for (uint32_t P : pointersInRegisters(Facts, I, Values))
            if (!is_contained(LoadedBefore[L], P))
              LoadedBefore[L].push_back(P);
    }
  }

  /// Pointers that are in registers all through \p Block.
  SmallVector<uint32_t, 4> loadedBefore(uint32_t Block) const {
    SmallVector<uint32_t, 4> Loaded;
    for (uint32_t L = Facts.Blocks[Block].Loop; L != NoIndex;
         L = Facts.Loops[L].Parent)
      for (uint32_t P : LoadedBefore[L])
        if (!is_contained(Loaded, P))
          Loaded.push_back(P);
    return Loaded;
  }

  bool beginsWithPhi(const BasicBlock &Block) const {
    return Block.NumOps &&
           Facts.Operations[Block.FirstOp].What == Semantics::Phi;
  }

  BitVector liveOut(uint32_t Block) {
    BitVector Live(Values.size());
    ValueSet Inputs;
    for (uint32_t S : Facts.Blocks[Block].Successors) {
      const BasicBlock &Next = Facts.Blocks[S];
      if (!beginsWithPhi(Next)) {
        Live |= LiveIn[S];
        continue;
      }
      BitVector In = LiveIn[S];
      for (uint32_t I = Next.FirstOp; I != Next.FirstOp + Next.NumOps; ++I) {
        const Operation &Op = Facts.Operations[I];
        if (Op.What != Semantics::Phi)
          break;
        bool IsUsed = In.test(Values.firstOf(I));
        In.reset(Values.firstOf(I));
        for (size_t K = 0; IsUsed && K != Op.PhiBlocks.size(); ++K)
          if (Op.PhiBlocks[K] == Block)
            Values.appendTo(Op.Operands[K], Inputs);
      }
      Live |= In;
    }
    for (uint32_t V : Inputs)
      Live.set(V);
    return Live;
  }

  /// Live values at the start of each block. A block is looked at again when
  /// those of a block behind it have changed.
  void flow() {
    for (BitVector &Set : LiveIn)
      Set.resize(Values.size());
    std::vector<SmallVector<uint32_t, 2>> Predecessors(Facts.Blocks.size());
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      for (uint32_t S : Facts.Blocks[B].Successors)
        Predecessors[S].push_back(B);
    BitVector Pending(unsigned(Facts.Blocks.size()), true);
    while (Pending.any()) {
      for (int B = Pending.find_last(); B != -1; B = Pending.find_prev(B)) {
        Pending.reset(B);
        BitVector Live = liveOut(B);
        for (const CodeNode &N : reverse(Code[B])) {
          for (uint32_t V : N.Defs)
            Live.reset(V);
          for (uint32_t V : N.Uses)
            Live.set(V);
        }
        if (Live == LiveIn[B])
          continue;
        LiveIn[B] = std::move(Live);
        for (uint32_t P : Predecessors[B])
          Pending.set(P);
      }
    }
  }

  std::vector<uint32_t> orderOf(const ScheduleInput &In, CodeOrder Order) {
    switch (Order) {
    case CodeOrder::AsWritten:
      break;
    case CodeOrder::HidingLatency:
      return scheduleForLatency(In);
    case CodeOrder::SavingRegisters:
      return scheduleForRegisters(In);
    }
    std::vector<uint32_t> AsWritten(In.Code.Nodes.size());
    for (uint32_t I = 0; I != AsWritten.size(); ++I)
      AsWritten[I] = I;
    return AsWritten;
  }

  void addScheduled(const Region &Blocks) {
    constexpr unsigned WordsOfPointer = 2;
    const SmallVector<uint32_t, 4> Loaded = loadedBefore(Blocks.front());
    ScheduledCode S;
    S.FirstBlock = Blocks.front();
    S.LoadedWords = unsigned(Loaded.size()) * WordsOfPointer;
    S.Code =
        expandCode(Facts, Blocks, takeCodeOfRegion(Facts, Blocks, Values, Code),
                   Values, Loaded);
    S.LiveOut = liveOut(Blocks.back());
    S.LiveOut.resize(Values.size() + unsigned(S.Code.FreshWords.size()));
    Scheduled.push_back(std::move(S));
  }

  void findPeak(const ScheduledCode &Of, CodeOrder Order, PeakDetail Detail,
                PressurePeak &Peak) {
    const ScheduleInput In{Facts, Of.Code, Values, Of.LiveOut};
    BitVector Live = Of.LiveOut;
    unsigned Now = Of.LoadedWords;
    for (unsigned V : Live.set_bits())
      Now += In.words(V);
    // The place of the next use of each value, counted from the end.
    std::map<uint32_t, size_t> NextUse;
    size_t Place = 0;
    auto Note = [&](uint32_t Op, unsigned Registers) {
      if (Registers <= Peak.Registers)
        return;
      Peak.Op = Op;
      Peak.Registers = Registers;
      if (Detail == PeakDetail::Values)
        Peak.LiveAcross = byNextUse(Live, NextUse);
    };
    std::vector<uint32_t> Issued = orderOf(In, Order);
    HeldAddresses Held(In, Order == CodeOrder::HidingLatency
                               ? ArrayRef(Issued)
                               : ArrayRef<uint32_t>());
    for (uint32_t Index : reverse(Issued)) {
      const CodeNode &N = Of.Code.Nodes[Index];
      unsigned Unused = 0;
      for (uint32_t V : N.Defs) {
        if (Live.test(V)) {
          Live.reset(V);
          Now -= In.words(V);
        } else {
          Unused += In.words(V);
        }
      }
      ++Place;
      Note(N.Op,
           Now + Held.count() + Unused + temporariesOf(Facts.Operations[N.Op]));
      for (uint32_t V : N.Uses) {
        if (Detail == PeakDetail::Values)
          NextUse[V] = Place;
        if (!Live.test(V)) {
          Live.set(V);
          Now += In.words(V);
          Held.use(V);
        }
      }
      Held.waitAt(Index, Live);
      Note(N.Op, Now + Held.count());
    }
  }

  /// The operations of the kernel whose results are in \p Live, the latest next
  /// use first.
  std::vector<uint32_t>
  byNextUse(const BitVector &Live,
            const std::map<uint32_t, size_t> &NextUse) const {
    std::vector<std::pair<size_t, uint32_t>> Found;
    for (unsigned V : Live.set_bits()) {
      if (V >= Values.size())
        continue;
      auto It = NextUse.find(V);
      size_t FromEnd = It == NextUse.end() ? 0 : It->second;
      Found.push_back({FromEnd, Values.operationOf(V)});
    }
    llvm::sort(Found);
    std::vector<uint32_t> Operations;
    for (auto [FromEnd, Op] : Found)
      if (!is_contained(Operations, Op))
        Operations.push_back(Op);
    return Operations;
  }
};

} // namespace

static PressurePeak leastPeak(const KernelFacts &Facts, PeakDetail Detail,
                              uint32_t Loop = NoIndex) {
  Pressure P(Facts, RegisterUse::Thrifty);
  P.schedule();
  PressurePeak Least = P.peak(CodeOrder::AsWritten, Detail, Loop);
  for (CodeOrder Order :
       {CodeOrder::HidingLatency, CodeOrder::SavingRegisters}) {
    PressurePeak Other = P.peak(Order, Detail, Loop, Least.Registers);
    if (Other.Registers < Least.Registers)
      Least = std::move(Other);
  }
  return Least;
}

PressurePeak gpuocc::pressurePeak(const KernelFacts &Facts) {
  return leastPeak(Facts, PeakDetail::Values);
}

PressurePeak gpuocc::pressurePeakOfLoop(const KernelFacts &Facts,
                                        uint32_t Loop) {
  return leastPeak(Facts, PeakDetail::Values, Loop);
}

RegisterFlow gpuocc::registerFlow(const KernelFacts &Facts) {
  return Pressure(Facts, RegisterUse::AtEase).take();
}

unsigned RegisterFlow::words(const BitVector &Values) const {
  unsigned Sum = 0;
  for (unsigned V : Values.set_bits())
    Sum += Words[V];
  return Sum;
}

namespace {

/// Registers per thread that bound the assembler.
struct RegisterLimits {
  /// It does not save registers below.
  unsigned AtEase = 0;
  unsigned Most = 0;
};

} // namespace

/// The most threads that \p Bounds allow a block; 0 when they say nothing.
static uint64_t threadsOf(const LaunchBounds &Bounds) {
  if (Bounds.MaxThreads != 0)
    return Bounds.MaxThreads;
  const auto &[X, Y, Z] = Bounds.RequiredBlock;
  return SaturatingMultiply<uint64_t>(uint64_t(X) * Y, Z);
}

/// Whoever bounds the registers, be it as blocks of a size or as a number, has
/// chosen how many warps there shall be: the assembler then takes all that
/// this leaves (ptxas 13.0; a size alone is no such choice).
static RegisterLimits limitsOf(const LaunchBounds &Bounds,
                               const RegisterFile &File) {
  RegisterLimits Limits{File.perThread(File.WarpsPerSm), File.MostPerThread};
  if (uint64_t Threads = threadsOf(Bounds)) {
    // What no SM holds binds no more than what it holds.
    unsigned Warps = unsigned(std::min<uint64_t>(
        divideCeil(Threads, LanesPerWarp), std::max(File.WarpsPerSm, 1u)));
    unsigned MostBlocks = std::max(File.WarpsPerSm / Warps, 1u);
    unsigned Blocks = std::clamp(Bounds.MinBlocksPerSm, 1u, MostBlocks);
    Limits.Most = File.perThread(Warps * Blocks);
    if (Bounds.MinBlocksPerSm != 0)
      Limits.AtEase = Limits.Most;
  }
  if (Bounds.MaxRegisters != 0) {
    Limits.Most = std::min(Limits.Most, Bounds.MaxRegisters);
    Limits.AtEase = Limits.Most;
  }
  Limits.Most = std::max(Limits.Most, FewestRegisters);
  return Limits;
}

unsigned gpuocc::registersAtEase(const LaunchBounds &Bounds,
                                 const RegisterFile &File) {
  return limitsOf(Bounds, File).AtEase;
}

std::optional<unsigned> gpuocc::registersOfValues(unsigned Registers,
                                                  unsigned AtEase) {
  constexpr unsigned Below = 2;
  if (Registers > AtEase || Registers + Below < AtEase)
    return std::nullopt;
  return AtEase - std::min(AtEase, RegistersBesideValues + HolesUnderPressure);
}

unsigned gpuocc::estimateRegisters(const KernelFacts &Facts,
                                   const RegisterFile &File) {
  const RegisterLimits Limits = limitsOf(Facts.Bounds, File);
  Pressure AtEase(Facts, RegisterUse::AtEase);
  AtEase.schedule();
  unsigned Estimate =
      AtEase.peak(CodeOrder::HidingLatency, PeakDetail::Registers, NoIndex)
          .Registers +
      RegistersBesideValues + HolesAtEase;
  if (Estimate > Limits.AtEase) {
    unsigned Least = leastPeak(Facts, PeakDetail::Registers).Registers +
                     RegistersBesideValues + HolesUnderPressure;
    // The rest of what a warp is given anyway is taken too.
    unsigned Unit = std::max(File.AllocationUnit / LanesPerWarp, 1u);
    Estimate = std::max(Limits.AtEase, unsigned(alignTo(Least, Unit)));
  }
  return std::clamp(Estimate, FewestRegisters, Limits.Most);
}
