//===- SpillCode.cpp - Loads and stores of spilled registers --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/SpillCode.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned BytesPerRegister = 4;

/// Registers of values that are loaded in each iteration of a loop that uses
/// \p Excess more than there are: each of them needs another one on the way
/// from its slot, up to 22.
///
/// Source: ptxas 13.0, sm_90, 17 loops over 28 to 160 values in 32 to 128
/// registers, which use 6 more than their values: 2, 30, 42, 60 and 92 loads
/// where that is 2, 14, 22, 38 and 70 too many. Values that are only alive
/// across a loop are in memory around it.
static unsigned reloadedInLoop(unsigned Excess) {
  constexpr unsigned MostOnTheWay = 22;
  return Excess + std::min(Excess, MostOnTheWay);
}

namespace {

/// An operation to be put before another one.
struct Insertion {
  uint32_t Before = NoIndex;
  Operation Op;
  MemoryAccess Access;
};

/// Where a spilled value is wanted again: before \p First in \p Block.
struct Reload {
  uint32_t Block = NoIndex;
  uint32_t First = NoIndex;
};

struct Candidate {
  uint32_t Op = NoIndex;
  unsigned Registers = 0;
  std::vector<Reload> Reloads;
  /// Estimated executions of its stores and loads.
  double Executions = 0;
  /// In the order of PressurePeak: the latest next use first.
  size_t Rank = 0;
};

class Spiller {
public:
  explicit Spiller(const KernelFacts &Facts)
      : Old(Facts), Stores(Facts.Resources.SpillStoreBytes),
        Loads(Facts.Resources.SpillLoadBytes), IsSpilled(Old.Operations.size()),
        Highest(pressurePeak(Facts)) {
    findUsers();
  }

  KernelFacts run() {
    // What a loop has no registers for is in memory in each iteration; the rest
    // is spilled where that costs least.
    std::vector<uint32_t> Loops(Old.Loops.size());
    for (uint32_t L = 0; L != Loops.size(); ++L)
      Loops[L] = L;
    llvm::sort(Loops, [&](uint32_t A, uint32_t B) {
      return std::pair(-int(Old.Loops[A].Depth), A) <
             std::pair(-int(Old.Loops[B].Depth), B);
    });
    for (uint32_t L : Loops) {
      if (Highest.Registers <= Old.Resources.RegistersPerThread)
        break;
      relieve(L);
    }
    spillAll(Highest, std::numeric_limits<unsigned>::max(), [&](uint32_t V) {
      return none_of(Relieved, [&](uint32_t L) { return isUsedIn(V, L); });
    });
    return Inserted.empty() ? Old : rebuilt();
  }

private:
  const KernelFacts &Old;
  /// Bytes of the assembler's code that are left to place.
  uint64_t Stores, Loads;
  /// By operation.
  std::vector<bool> IsSpilled;
  PressurePeak Highest;
  /// Loops of whose values those are spilled that have no registers.
  SmallVector<uint32_t, 2> Relieved;
  /// By operation, those in registers of their own that read it, directly or
  /// through operations that emit nothing.
  std::vector<SmallVector<uint32_t, 4>> Users;
  std::vector<Insertion> Inserted;
  /// All slots, and those of values that are stored less often than loaded.
  uint64_t SlotBytes = 0, KeptBytes = 0;
  /// Of values that one loop uses, the most of them.
  uint64_t LoopBytes = 0;

  const Operation &op(uint32_t I) const { return Old.Operations[I]; }

  /// \p Value is made or read in loop \p Loop.
  bool isUsedIn(uint32_t Value, uint32_t Loop) const {
    auto IsInLoop = [&](uint32_t Block) {
      return is_contained(Old.Loops[Loop].Blocks, Block);
    };
    auto ReadsInLoop = [&](uint32_t User) {
      const Operation &Op = op(User);
      if (Op.What != Semantics::Phi)
        return IsInLoop(Op.Block);
      // What comes into a loop is read at the end of the block before it.
      for (size_t K = 0; K != Op.PhiBlocks.size(); ++K)
        if (Op.Operands[K].isValue() && Op.Operands[K].Index == Value &&
            IsInLoop(Op.PhiBlocks[K]))
          return true;
      return false;
    };
    return IsInLoop(op(Value).Block) || any_of(Users[Value], ReadsInLoop);
  }

  /// Spills what loop \p L uses and has no registers for.
  void relieve(uint32_t L) {
    const PressurePeak Peak = pressurePeakOfLoop(Old, L);
    unsigned Used = Peak.Registers;
    for (uint32_t V : Peak.LiveAcross)
      if (IsSpilled[V] || !isUsedIn(V, L))
        Used -= std::min(Used, registersOf(op(V)) *
                                   std::max<unsigned>(1, op(V).NumResults));
    const unsigned Has = Old.Resources.RegistersPerThread;
    const uint64_t Before = SlotBytes;
    if (Has == 0 || Used <= Has)
      return;
    Relieved.push_back(L);
    spillAll(Peak, reloadedInLoop(Used - Has),
             [&](uint32_t V) { return isUsedIn(V, L); });
    LoopBytes = std::max(LoopBytes, SlotBytes - Before);
  }

  /// Spills values that are alive at \p Peak, of those that \p MayBe, until
  /// \p Registers are free.
  void spillAll(const PressurePeak &Peak, unsigned Registers,
                function_ref<bool(uint32_t)> MayBe) {
    if (Peak.Op == NoIndex)
      return;
    for (const Candidate &C : candidates(Peak)) {
      if (Registers == 0 || (Stores == 0 && Loads == 0))
        break;
      if (!MayBe(C.Op))
        continue;
      spill(C);
      Registers -= std::min(Registers, C.Registers);
    }
  }

  /// Copies that the assembler makes of the code of \p Block.
  unsigned copiesOf(uint32_t Block) const {
    unsigned Copies = 1;
    for (uint32_t L = Old.Blocks[Block].Loop; L != NoIndex;
         L = Old.Loops[L].Parent)
      Copies *= std::max(1u, Old.Loops[L].UnrolledBy);
    return Copies;
  }

  static bool isWritten(const Operation &Op) {
    return Op.What == Semantics::Phi || !Op.Emits.empty();
  }

  void findUsers() {
    Users.resize(Old.Operations.size());
    // What operations that emit nothing are read from.
    std::map<uint32_t, SmallVector<uint32_t, 2>> ReadFrom;
    for (uint32_t I = 0; I != Old.Operations.size(); ++I) {
      SmallVector<uint32_t, 4> Read;
      for (const Operand &O : op(I).Operands) {
        if (!O.isValue())
          continue;
        auto Through = ReadFrom.find(O.Index);
        if (isWritten(op(O.Index)))
          Read.push_back(O.Index);
        else if (Through != ReadFrom.end())
          llvm::append_range(Read, Through->second);
      }
      if (!isWritten(op(I))) {
        ReadFrom[I].assign(Read.begin(), Read.end());
        continue;
      }
      for (uint32_t V : Read)
        if (Users[V].empty() || Users[V].back() != I)
          Users[V].push_back(I);
    }
  }

  unsigned registersOf(const Operation &Op) const {
    unsigned Bits = Op.Bits;
    if (Op.Access != NoIndex && Op.NumResults > 1)
      Bits = Old.Accesses[Op.Access].BytesPerLane * 8 / Op.NumResults;
    return (Bits + 31) / 32;
  }

  double executions(uint32_t Block) const {
    uint32_t Loop = Old.Blocks[Block].Loop;
    unsigned Depth = Loop == NoIndex ? 0 : Old.Loops[Loop].Depth;
    double Executions = 1;
    while (Depth-- > 0)
      Executions *= 10;
    return Executions;
  }

  /// Before the branch that ends \p Block.
  uint32_t endOf(uint32_t Block) const {
    const BasicBlock &B = Old.Blocks[Block];
    if (B.Branch != NoIndex && op(Old.Branches[B.Branch].Op).Block == Block)
      return Old.Branches[B.Branch].Op;
    return B.FirstOp + B.NumOps;
  }

  /// Notes a use before \p Place in \p Block of the value \p C.
  static void noteUse(Candidate &C, uint32_t Block, uint32_t Place) {
    for (Reload &R : C.Reloads)
      if (R.Block == Block) {
        R.First = std::min(R.First, Place);
        return;
      }
    C.Reloads.push_back({Block, Place});
  }

  /// Notes the uses of \p C that find it in its slot. In the block that makes
  /// it these are those behind the peak; without one the last, since the
  /// assembler may have moved the others.
  void noteUses(Candidate &C, const PressurePeak &Peak) const {
    const uint32_t Own = op(C.Op).Block;
    std::optional<uint32_t> Last;
    bool IsBehind = false;
    for (uint32_t U : Users[C.Op]) {
      const Operation &User = op(U);
      if (User.What == Semantics::Phi) {
        for (size_t K = 0; K != User.PhiBlocks.size(); ++K)
          if (User.Operands[K].isValue() && User.Operands[K].Index == C.Op)
            noteUse(C, User.PhiBlocks[K], endOf(User.PhiBlocks[K]));
      } else if (User.Block != Own) {
        noteUse(C, User.Block, U);
      } else if (op(Peak.Op).Block == Own && U > Peak.Op) {
        noteUse(C, Own, U);
        IsBehind = true;
      } else {
        Last = std::max(U, Last.value_or(0));
      }
    }
    if (op(Peak.Op).Block == Own && Last && !IsBehind && C.Reloads.empty())
      noteUse(C, Own, *Last);
  }

  std::vector<Candidate> candidates(const PressurePeak &Peak) const {
    std::vector<Candidate> Found;
    for (uint32_t V : Peak.LiveAcross) {
      const Operation &Op = op(V);
      bool IsMadeAgain =
          Op.Access == NoIndex && Op.What != Semantics::Phi &&
          none_of(Op.Operands, [](const Operand &O) { return O.isValue(); });
      Candidate C;
      C.Op = V;
      C.Registers = registersOf(Op) * std::max<unsigned>(1, Op.NumResults);
      if (IsMadeAgain || C.Registers == 0 || IsSpilled[V])
        continue;
      noteUses(C, Peak);
      if (C.Reloads.empty())
        continue;
      C.Executions = executions(Op.Block);
      for (const Reload &R : C.Reloads)
        C.Executions += executions(R.Block);
      Found.push_back(std::move(C));
    }
    for (size_t I = 0; I != Found.size(); ++I)
      Found[I].Rank = I;
    llvm::sort(Found, [](const Candidate &A, const Candidate &B) {
      double Mine = A.Executions * B.Registers;
      double Other = B.Executions * A.Registers;
      return std::tie(Mine, A.Rank) < std::tie(Other, B.Rank);
    });
    return Found;
  }

  /// A load or store of the slot at \p Offset.
  Insertion access(AccessKind Kind, const Operand &Value, unsigned Registers,
                   uint64_t Offset) const {
    bool IsLoad = Kind == AccessKind::Load;
    Insertion I;
    I.Op.Opcode = IsLoad ? "LDL" : "STL";
    // A load is a copy, so that what it is the address or trip count of is
    // still known.
    I.Op.What = IsLoad ? Semantics::Copy : Semantics::Opaque;
    I.Op.Bits = uint8_t(Registers * 32);
    I.Op.NumResults = IsLoad ? 1 : 0;
    I.Op.Operands = {Value};
    I.Op.Emits.push_back(
        {IsLoad ? InstClass::LdLocal : InstClass::StLocal, 1, 1});
    I.Access.Space = MemorySpace::Local;
    I.Access.Kind = Kind;
    I.Access.BytesPerLane = Registers * BytesPerRegister;
    I.Access.Base = Operand::symbol(uint32_t(Old.Symbols.size()));
    I.Access.OffsetBytes = int64_t(Offset);
    return I;
  }

  void spill(const Candidate &C) {
    const Operation &Op = op(C.Op);
    IsSpilled[C.Op] = true;
    unsigned Registers = registersOf(Op);
    uint64_t Bytes = C.Registers * BytesPerRegister;
    uint64_t Slots = SlotBytes;
    SlotBytes += Bytes;
    if (C.Executions >= 3 * executions(Op.Block))
      KeptBytes += Bytes;
    auto InsertAll = [&](AccessKind Kind, const Operand &Value, uint32_t Block,
                         uint32_t Before, uint32_t Location) {
      for (uint8_t R = 0; R != std::max<uint8_t>(1, Op.NumResults); ++R) {
        Operand Part = Value;
        if (Part.isValue() && Part.Index == C.Op)
          Part.Result = R;
        Inserted.push_back(access(Kind, Part, Registers,
                                  Slots + R * Registers * BytesPerRegister));
        Inserted.back().Before = Before;
        Inserted.back().Op.Block = Block;
        Inserted.back().Op.Location = Location;
      }
    };
    auto StoreIn = [&](uint32_t Block, uint32_t Before, const Operand &Value) {
      if (Stores == 0)
        return;
      InsertAll(AccessKind::Store, Value, Block, Before, Op.Location);
      Stores -= std::min(Stores, Bytes * copiesOf(Block));
    };
    if (Op.What == Semantics::Phi)
      // What comes around a loop is stored at its end, and once before it.
      for (size_t K = 0; K != Op.PhiBlocks.size(); ++K)
        StoreIn(Op.PhiBlocks[K], endOf(Op.PhiBlocks[K]), Op.Operands[K]);
    else
      StoreIn(Op.Block, C.Op + 1, Operand::value(C.Op));
    for (const Reload &R : C.Reloads) {
      if (Loads == 0)
        break;
      uint32_t Of =
          std::min<uint32_t>(R.First, uint32_t(Old.Operations.size()) - 1);
      InsertAll(AccessKind::Load, Operand::value(C.Op), R.Block, R.First,
                op(Of).Location);
      Loads -= std::min(Loads, Bytes * copiesOf(R.Block));
    }
  }

  KernelFacts rebuilt() {
    // Slots are numbered in the order in which they were chosen.
    llvm::sort(Inserted, [](const Insertion &A, const Insertion &B) {
      return std::tie(A.Before, A.Op.Block, A.Access.OffsetBytes,
                      A.Access.Kind) < std::tie(B.Before, B.Op.Block,
                                                B.Access.OffsetBytes,
                                                B.Access.Kind);
    });
    KernelFacts New = Old;
    addSlots(New);
    New.Resources.SpilledAtOnceBytes = bytesAtOnce();
    // Old indices to new ones.
    std::vector<uint32_t> Moved(Old.Operations.size());
    New.Operations.clear();
    size_t Next = 0;
    auto InsertBefore = [&](uint32_t I) {
      for (; Next != Inserted.size() && Inserted[Next].Before <= I; ++Next) {
        Insertion &N = Inserted[Next];
        N.Access.Op = uint32_t(New.Operations.size());
        N.Op.Access = uint32_t(New.Accesses.size());
        New.Accesses.push_back(N.Access);
        New.Operations.push_back(N.Op);
      }
    };
    for (uint32_t I = 0; I != Old.Operations.size(); ++I) {
      InsertBefore(I);
      Moved[I] = uint32_t(New.Operations.size());
      New.Operations.push_back(op(I));
    }
    InsertBefore(uint32_t(Old.Operations.size()));
    renumber(New, Moved);
    return New;
  }

  /// The last load of a value frees its slot, in L1 too (LDL.LU, ptxas 13.0),
  /// so that slots hold what is alive and in no register. A value that is
  /// stored once and loaded in each iteration stays, and so do those that a
  /// loop stores and loads again.
  uint64_t bytesAtOnce() const {
    const unsigned Has = Old.Resources.RegistersPerThread;
    const uint64_t Excess = Highest.Registers > Has
                                ? (Highest.Registers - Has) * BytesPerRegister
                                : 0;
    return std::min(SlotBytes, std::max({KeptBytes, LoopBytes, Excess}));
  }

  void addSlots(KernelFacts &New) const {
    Symbol S;
    S.Name = SpillSymbol.str();
    S.Space = MemorySpace::Local;
    S.SizeBytes = SlotBytes;
    S.AlignBytes = 16;
    for (const Symbol &Other : Old.Symbols)
      if (Other.Space == MemorySpace::Local)
        S.OffsetBytes =
            std::max(S.OffsetBytes, Other.OffsetBytes + Other.SizeBytes);
    S.OffsetBytes = (S.OffsetBytes + 15) / 16 * 16;
    New.Symbols.push_back(std::move(S));
  }

  /// Gives \p New the indices of its own operations, and users of spilled
  /// values the loads before them.
  void renumber(KernelFacts &New, const std::vector<uint32_t> &Moved) const {
    std::map<std::tuple<uint32_t, uint32_t, uint8_t>, uint32_t> LoadOf;
    for (uint32_t I = 0; I != New.Operations.size(); ++I) {
      const Operation &Op = New.Operations[I];
      if (isInserted(New, Op) && Op.NumResults != 0)
        LoadOf[{Op.Block, Op.Operands[0].Index, Op.Operands[0].Result}] = I;
    }
    auto Move = [&](Operand &O, uint32_t Block, std::optional<uint32_t> User) {
      if (!O.isValue())
        return;
      auto Load = LoadOf.find({Block, O.Index, O.Result});
      bool IsLoaded = Load != LoadOf.end() && (!User || Load->second < *User);
      O = IsLoaded ? Operand::value(Load->second)
                   : Operand::value(Moved[O.Index], O.Result);
    };
    for (uint32_t I = 0; I != New.Operations.size(); ++I) {
      Operation &Op = New.Operations[I];
      if (isInserted(New, Op)) {
        for (Operand &O : Op.Operands)
          if (O.isValue())
            O.Index = Moved[O.Index];
        continue;
      }
      for (size_t K = 0; K != Op.Operands.size(); ++K)
        if (Op.What == Semantics::Phi && K < Op.PhiBlocks.size())
          Move(Op.Operands[K], Op.PhiBlocks[K], std::nullopt);
        else
          Move(Op.Operands[K], Op.Block, I);
      Move(Op.Guard, Op.Block, I);
    }
    for (MemoryAccess &A : New.Accesses) {
      if (isSpill(New, A))
        continue;
      A.Op = Moved[A.Op];
      Move(A.Base, New.Operations[A.Op].Block, A.Op);
      Move(A.SharedBase, New.Operations[A.Op].Block, A.Op);
      for (Operand &O : A.Stored)
        Move(O, New.Operations[A.Op].Block, A.Op);
    }
    for (gpuocc::Branch &B : New.Branches) {
      B.Op = Moved[B.Op];
      Move(B.Condition, B.Block, B.Op);
    }
    for (BasicBlock &B : New.Blocks)
      B.NumOps = 0;
    for (const Operation &Op : New.Operations)
      ++New.Blocks[Op.Block].NumOps;
    uint32_t First = 0;
    for (BasicBlock &B : New.Blocks) {
      B.FirstOp = First;
      First += B.NumOps;
    }
  }

  static bool isInserted(const KernelFacts &New, const Operation &Op) {
    return Op.Access != NoIndex && isSpill(New, New.Accesses[Op.Access]);
  }
};

} // namespace

KernelFacts gpuocc::withSpillCode(const KernelFacts &Facts) {
  const ResourceUse &Use = Facts.Resources;
  if (Facts.isInIssueOrder() ||
      (Use.SpillStoreBytes == 0 && Use.SpillLoadBytes == 0))
    return Facts;
  return Spiller(Facts).run();
}

SpilledBytes gpuocc::spilledBytes(const KernelFacts &Facts) {
  SpilledBytes Sum;
  for (const MemoryAccess &A : Facts.Accesses)
    if (isSpill(Facts, A))
      (A.Kind == AccessKind::Store ? Sum.Stored : Sum.Loaded) += A.BytesPerLane;
  return Sum;
}
