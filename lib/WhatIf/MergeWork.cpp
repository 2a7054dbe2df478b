//===- MergeWork.cpp - Work of several threads done by one ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/MergeWork.h"
#include "MergeDependence.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/Extents.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr uint64_t LanesPerWarp = 32;

/// True if warps of the smaller block have the lanes that warps of \p Block
/// have.
static bool keepLanes(Dim3 Block, const Merge &M) {
  uint64_t &Extent = extent(Block, M.Dimension);
  if (Extent % M.Factor != 0)
    return false;
  Extent /= M.Factor;
  uint64_t Below = 1;
  for (unsigned D = 0; D <= M.Dimension; ++D)
    Below *= extent(Block, D);
  return Below % LanesPerWarp == 0;
}

/// A grid whose extent is not known is large.
static bool hasBlocks(const Launch &L, const Merge &M) {
  if (!L.Grid)
    return true;
  Dim3 Grid = L.Grid->Value;
  return extent(Grid, M.Dimension) >= M.Factor;
}

static bool touchesShared(const KernelFacts &Facts) {
  return any_of(Facts.Accesses, [](const MemoryAccess &A) {
    return A.Space == MemorySpace::Shared || A.Kind == AccessKind::AsyncCopy;
  });
}

/// False where the kernel has no such dimension: threads that differ there
/// alone do the same, and what they store is stored again.
static bool readsMergedCoordinate(const KernelFacts &Facts, const Merge &M) {
  return any_of(Facts.Operations, [&](const Operation &Op) {
    return Op.What == Semantics::SReg && isMergedCoordinate(Op.SReg, M);
  });
}

static bool isPossible(const KernelFacts &Facts, const Launch &L,
                       const Merge &M) {
  if (Facts.isInIssueOrder() || M.Factor < 2 || L.Cluster.count() != 1)
    return false;
  switch (M.What) {
  case MergeOf::Threads:
    return Facts.Bounds.RequiredBlock[0] == 0 && keepLanes(L.Block.Value, M) &&
           readsMergedCoordinate(Facts, M);
  case MergeOf::Blocks:
    return hasBlocks(L, M) && readsMergedCoordinate(Facts, M);
  case MergeOf::Neighbours:
    return M.Dimension == 0 && hasBlocks(L, M) && !touchesShared(Facts);
  }
}

/// Bytes of the widest access of a lane.
static constexpr unsigned MostBytesPerLane = 16;
static constexpr unsigned BytesOfRegister = 4;
/// Heuristic: what a thread keeps of several structures has to be few
/// registers.
static constexpr int64_t MostBytesOfStructure = 32;

static bool isArray(const MemoryAccess &A) {
  return A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic;
}

bool gpuocc::becomesWider(const MemoryAccess &A, const AccessProfile &P,
                          unsigned Factor) {
  // Whole sectors: the warp begins at an aligned address.
  return isArray(A) &&
         (A.Kind == AccessKind::Load || A.Kind == AccessKind::Store) &&
         !A.Volatile && A.BytesPerLane * Factor <= MostBytesPerLane &&
         P.LaneStrideBytes && *P.LaneStrideBytes == int64_t(A.BytesPerLane) &&
         P.RequestsPerWarp > 0 &&
         P.SectorsPerRequest <= P.IdealSectorsPerRequest * 1.01;
}

/// \p Share of the loads of \p Op, which bring what all brought.
static void keepShare(Operation &Op, AccessProfile &P, double Share) {
  for (Emission &E : Op.Emits)
    E.Count *= float(Share);
  P.ExecutionsPerWarp *= Share;
  P.RequestsPerWarp *= Share;
  P.L1HitFraction = 1 - std::min(1.0, (1 - P.L1HitFraction) / Share);
  P.L1WaitFraction = std::min(1.0, P.L1WaitFraction / Share);
  P.LineVisitFraction = std::min(1.0, P.LineVisitFraction / Share);
}

std::vector<unsigned>
gpuocc::bytesOfWholeStretches(const KernelFacts &Facts,
                              const ExecutionProfile &Profile,
                              unsigned Factor) {
  using Place = std::tuple<uint32_t, uint32_t, uint16_t, AccessKind, int64_t>;
  // Bytes by their place in the structure, of an address of a block.
  std::map<Place, std::pair<std::set<int64_t>, std::vector<uint32_t>>> Moved;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &P = Profile.Accesses[I];
    if (!isArray(A) || A.Volatile || !A.Base.isValue() || !P.LaneStrideBytes ||
        *P.LaneStrideBytes <= int64_t(A.BytesPerLane) ||
        *P.LaneStrideBytes > MostBytesOfStructure)
      continue;
    auto &[Bytes, Accesses] =
        Moved[{Facts.Operations[A.Op].Block, A.Base.Index, A.Base.Result,
               A.Kind, *P.LaneStrideBytes}];
    for (int64_t B = 0; B != int64_t(A.BytesPerLane); ++B)
      Bytes.insert(A.OffsetBytes + B);
    Accesses.push_back(I);
  }
  std::vector<unsigned> Out(Facts.Accesses.size());
  for (const auto &[Key, Of] : Moved) {
    const auto &[Bytes, Accesses] = Of;
    const int64_t Stride = std::get<int64_t>(Key);
    unsigned Words = MostBytesPerLane;
    while (Stride * Factor % Words != 0)
      Words /= 2;
    if (int64_t(Bytes.size()) == Stride &&
        *Bytes.rbegin() - *Bytes.begin() + 1 == Stride &&
        Words >= BytesOfRegister)
      for (uint32_t I : Accesses)
        Out[I] = Words;
  }
  return Out;
}

/// Lanes that were neighbours are \p Factor times as far apart: a request of a
/// copy reaches as many times the sectors and lines, but no more than one of
/// each lane. What one copy brings to L1 the others find there.
static void spreadLanes(AccessProfile &P, bool IsLoad, unsigned Factor) {
  const double Sectors = std::max(1.0, P.SectorsPerRequest);
  const double Lines = std::max(1.0, P.LinesPerRequest);
  P.SectorsPerRequest =
      std::min(std::max(Sectors, P.ActiveLanes), Sectors * Factor);
  P.LinesPerRequest = std::min(std::max(Lines, P.ActiveLanes), Lines * Factor);
  // Each line takes its turn at the tags.
  P.WavefrontsPerRequest *= P.LinesPerRequest / Lines;
  P.LaneStrideBytes = *P.LaneStrideBytes * int64_t(Factor);
  if (!IsLoad)
    return;
  P.L1HitFraction = 1 - (1 - P.L1HitFraction) * Sectors / P.SectorsPerRequest;
  P.LineVisitFraction *= Lines / P.LinesPerRequest;
}

namespace {

/// Where the copies of an operation's results are.
struct Copies {
  /// By copy: operation and first result.
  SmallVector<std::pair<uint32_t, uint8_t>, 4> At;
};

class Merger {
public:
  Merger(const KernelFacts &Facts, const ExecutionProfile &Profile,
         const Launch &L, const Merge &M, const MergeDependence &Found,
         ArrayRef<WindowedLoad> Windows)
      : Old(Facts), OldProfile(Profile), M(M), Windows(Windows),
        WholeBytes(bytesOfWholeStretches(Facts, Profile, M.Factor)),
        Depends(Found.operations()), Multiplied(Found.multipliedSymbols()),
        Out{Facts, Profile, L}, Of(Facts.Operations.size()) {}

  KernelVariant run() {
    Out.Facts.Operations.clear();
    Out.Facts.Accesses.clear();
    Out.Facts.LimitedResources.clear();
    Out.Profile.Accesses.clear();
    for (uint32_t B = 0; B != Old.Blocks.size(); ++B)
      addBlock(B);
    renameOperands();
    dropUnused();
    changeShared();
    changeLaunch();
    return std::move(Out);
  }

private:
  /// What a new operation was copied from.
  struct Origin {
    uint32_t Old = NoIndex;
    unsigned Copy = 0;
    /// Operands are those of the copies together.
    bool IsWide = false;
    /// Operands are new already.
    bool IsNew = false;
  };

  const KernelFacts &Old;
  const ExecutionProfile &OldProfile;
  const Merge M;
  const ArrayRef<WindowedLoad> Windows;
  /// By old access: of neighbours, see bytesOfWholeStretches.
  const std::vector<unsigned> WholeBytes;
  const std::vector<bool> &Depends, &Multiplied;
  KernelVariant Out;
  std::vector<Copies> Of;
  std::vector<Origin> Origins;
  /// Loads by window, block and place.
  std::map<std::tuple<uint32_t, uint32_t, int64_t>, uint32_t> LoadedWords;

  uint32_t push(const Operation &Op, Origin From) {
    Out.Facts.Operations.push_back(Op);
    Origins.push_back(From);
    return uint32_t(Out.Facts.Operations.size()) - 1;
  }

  void addBlock(uint32_t B) {
    const BasicBlock &Block = Old.Blocks[B];
    BasicBlock &New = Out.Facts.Blocks[B];
    New.FirstOp = uint32_t(Out.Facts.Operations.size());
    for (uint32_t I = Block.FirstOp; I != Block.FirstOp + Block.NumOps; ++I)
      addOperation(I);
    New.NumOps = uint32_t(Out.Facts.Operations.size()) - New.FirstOp;
  }

  void addOperation(uint32_t I) {
    const Operation &Op = Old.Operations[I];
    if (Op.What == Semantics::SReg && isExtentThatChanges(Op.SReg))
      return addOldExtent(I);
    if (Op.What == Semantics::SReg && isMergedCoordinate(Op.SReg, M))
      return addCoordinate(I);
    if (!Depends[I])
      return addOnce(I, 1);
    if (isControl(Op))
      return addOnce(I, M.Factor);
    if (isWide(Op))
      return addWide(I);
    for (unsigned K = 0; K != M.Factor; ++K) {
      uint32_t *Loaded = loadedWord(Op, K);
      if (Loaded && *Loaded != NoIndex) {
        Of[I].At.push_back({*Loaded, 0});
        continue;
      }
      const uint32_t New = push(Op, {I, K});
      if (Loaded)
        *Loaded = New;
      Of[I].At.push_back({New, 0});
      copyAccess(Op, New);
      if (M.What == MergeOf::Neighbours)
        spreadLanesOf(Op);
      if (K % 2 != 0 && isPaired(Op))
        Out.Facts.Operations[New].Emits.clear();
    }
  }

  /// Lanes side by side whose words several accesses of 16 bytes move stay as
  /// they are, and so do members of structures that are moved as a whole.
  void spreadLanesOf(const Operation &Op) {
    if (Op.Access == NoIndex || isInWindow(Op) || WholeBytes[Op.Access] != 0)
      return;
    const MemoryAccess &A = Old.Accesses[Op.Access];
    AccessProfile &P = Out.Profile.Accesses.back();
    if (!isArray(A) || !P.LaneStrideBytes || *P.LaneStrideBytes == 0)
      return;
    const bool IsSideBySide = *P.LaneStrideBytes == int64_t(A.BytesPerLane);
    if (!IsSideBySide || A.BytesPerLane * M.Factor <= MostBytesPerLane)
      spreadLanes(P, A.Kind == AccessKind::Load, M.Factor);
  }

  /// Two neighbours that compute with halves do so in one register.
  bool isPaired(const Operation &Op) const {
    return M.What == MergeOf::Neighbours && isHalfArithmetic(Op);
  }

  void addOnce(uint32_t I, unsigned Times) {
    const uint32_t New = push(Old.Operations[I], {I});
    for (Emission &E : Out.Facts.Operations[New].Emits)
      if (E.Class != InstClass::Exit && E.Class != InstClass::Barrier)
        E.Count *= float(Times);
    Of[I].At.assign(M.Factor, {New, 0});
    copyAccess(Old.Operations[I], New);
  }

  static bool isControl(const Operation &Op) {
    return any_of(Op.Emits, [](const Emission &E) {
      return E.Class == InstClass::Branch ||
             E.Class == InstClass::BranchIndexed ||
             E.Class == InstClass::Exit || E.Class == InstClass::Barrier ||
             E.Class == InstClass::Converge || E.Class == InstClass::Call;
    });
  }

  void copyAccess(const Operation &Op, uint32_t New) {
    if (Op.Access == NoIndex)
      return;
    Out.Facts.Operations[New].Access = uint32_t(Out.Facts.Accesses.size());
    Out.Facts.Accesses.push_back(Old.Accesses[Op.Access]);
    Out.Facts.Accesses.back().Op = New;
    Out.Profile.Accesses.push_back(OldProfile.Accesses[Op.Access]);
    if (isInWindow(Op) && Windows[Op.Access].Window == NoIndex)
      keepShare(Out.Facts.Operations[New], Out.Profile.Accesses.back(),
                Windows[Op.Access].Share);
  }

  /// The load, NoIndex before there is one, of the word that copy \p Copy of
  /// \p Op loads in its block; null where words are not told apart.
  uint32_t *loadedWord(const Operation &Op, unsigned Copy) {
    if (!isInWindow(Op) || Windows[Op.Access].Window == NoIndex)
      return nullptr;
    const WindowedLoad &Of = Windows[Op.Access];
    const int64_t Word = Of.Word + int64_t(Copy) * Of.Slope;
    return &LoadedWords.try_emplace({Of.Window, Op.Block, Word}, NoIndex)
                .first->second;
  }

  /// Registers keep what neighbours load as well.
  bool isInWindow(const Operation &Op) const {
    return Op.Access < Windows.size() && Windows[Op.Access].Share < 1;
  }

  bool isWide(const Operation &Op) const {
    if (M.What != MergeOf::Neighbours || Op.Access == NoIndex)
      return false;
    const MemoryAccess &A = Old.Accesses[Op.Access];
    const AccessProfile &P = OldProfile.Accesses[Op.Access];
    // A window is loaded from an aligned word on.
    const bool IsContiguous = P.LaneStrideBytes &&
                              *P.LaneStrideBytes == int64_t(A.BytesPerLane) &&
                              A.BytesPerLane * M.Factor <= MostBytesPerLane;
    return becomesWider(A, P, M.Factor) || (isInWindow(Op) && IsContiguous);
  }

  void addWide(uint32_t I) {
    const Operation &Op = Old.Operations[I];
    const uint32_t New = push(Op, {I, 0, /*IsWide=*/true});
    Operation &Wide = Out.Facts.Operations[New];
    for (unsigned K = 0; K != M.Factor; ++K)
      Of[I].At.push_back({New, uint8_t(K * Op.NumResults)});
    Wide.NumResults = uint8_t(Op.NumResults * M.Factor);
    copyAccess(Op, New);
    AccessProfile &P = Out.Profile.Accesses.back();
    Out.Facts.Accesses.back().BytesPerLane *= M.Factor;
    const double F = M.Factor;
    for (double AccessProfile::*Field :
         {&AccessProfile::SectorsPerRequest,
          &AccessProfile::IdealSectorsPerRequest,
          &AccessProfile::LinesPerRequest, &AccessProfile::WavefrontsPerRequest,
          &AccessProfile::IdealWavefrontsPerRequest,
          &AccessProfile::SerializedPasses})
      P.*Field *= F;
    P.LaneStrideBytes = *P.LaneStrideBytes * int64_t(M.Factor);
  }

  bool isExtentThatChanges(SpecialReg R) const {
    constexpr SpecialReg NTid[] = {SpecialReg::NTidX, SpecialReg::NTidY,
                                   SpecialReg::NTidZ};
    constexpr SpecialReg NCta[] = {SpecialReg::NCtaIdX, SpecialReg::NCtaIdY,
                                   SpecialReg::NCtaIdZ};
    if (M.What == MergeOf::Threads)
      return R == NTid[M.Dimension];
    return M.What == MergeOf::Blocks && Out.Launched.Grid &&
           R == NCta[M.Dimension];
  }

  /// The code goes on to see the extent that the launch had.
  void addOldExtent(uint32_t I) {
    Operation Op = Old.Operations[I];
    Dim3 D = M.What == MergeOf::Threads ? Out.Launched.Block.Value
                                        : Out.Launched.Grid->Value;
    Op.What = Semantics::Copy;
    Op.SReg = SpecialReg::None;
    Op.Operands = {Operand::immediate(int64_t(extent(D, M.Dimension)))};
    Of[I].At.assign(M.Factor,
                    {push(Op, {I, 0, false, /*IsNew=*/true}), uint8_t(0)});
  }

  /// t, t + T / Factor, ... for threads; Factor * b, Factor * b + 1, ... for
  /// blocks.
  void addCoordinate(uint32_t I) {
    const Operation &Op = Old.Operations[I];
    const uint32_t First = push(Op, {I, 0, false, /*IsNew=*/true});
    const bool IsOfThreads = M.What == MergeOf::Threads;
    Dim3 Block = Out.Launched.Block.Value;
    for (unsigned K = 0; K != M.Factor; ++K) {
      if (IsOfThreads && K == 0) {
        Of[I].At.push_back({First, 0});
        continue;
      }
      Operation Other = Op;
      Other.Opcode = "merged";
      Other.SReg = SpecialReg::None;
      Other.Emits = {{IsOfThreads ? InstClass::IAdd3 : InstClass::IMad, 1, 1}};
      if (IsOfThreads) {
        Other.What = Semantics::Add;
        Other.Operands = {Operand::value(First),
                          Operand::immediate(int64_t(
                              K * (extent(Block, M.Dimension) / M.Factor)))};
      } else {
        Other.What = Semantics::Mad;
        Other.Operands = {Operand::value(First), Operand::immediate(M.Factor),
                          Operand::immediate(K)};
      }
      Of[I].At.push_back({push(Other, {I, K, false, /*IsNew=*/true}), 0});
    }
  }

  Operand renamed(Operand O, unsigned Copy) const {
    if (!O.isValue() || O.Index >= Of.size() || Of[O.Index].At.empty())
      return O;
    auto [Op, Result] = Of[O.Index].At[Copy];
    return Operand::value(Op, uint16_t(Result + O.Result));
  }

  uint32_t renamedAccess(uint32_t Access, unsigned Copy) const {
    if (Access >= Old.Accesses.size())
      return NoIndex;
    const Copies &New = Of[Old.Accesses[Access].Op];
    return New.At.empty() ? NoIndex
                          : Out.Facts.Operations[New.At[Copy].first].Access;
  }

  template <typename Operands>
  void rename(Operands &List, const Origin &From) const {
    const Operands Before = List;
    List.clear();
    for (unsigned K = 0; K != (From.IsWide ? M.Factor : 1); ++K)
      for (const Operand &O : Before)
        if (Operand New = renamed(O, From.Copy + K); !is_contained(List, New))
          List.push_back(New);
  }

  void renameOperands() {
    for (uint32_t I = 0; I != Out.Facts.Operations.size(); ++I) {
      const Origin &From = Origins[I];
      Operation &Op = Out.Facts.Operations[I];
      if (From.IsNew)
        continue;
      if (From.IsWide)
        rename(Op.Operands, From);
      else
        for (Operand &O : Op.Operands)
          O = renamed(O, From.Copy);
      Op.Guard = renamed(Op.Guard, From.Copy);
      if (Op.Access == NoIndex)
        continue;
      MemoryAccess &A = Out.Facts.Accesses[Op.Access];
      A.Base = renamed(A.Base, From.Copy);
      A.SharedBase = renamed(A.SharedBase, From.Copy);
      if (From.IsWide)
        rename(A.Stored, From);
      else
        for (Operand &O : A.Stored)
          O = renamed(O, From.Copy);
      uint32_t &Awaited = Out.Profile.Accesses[Op.Access].AwaitedAccess;
      Awaited = renamedAccess(Awaited, From.Copy);
    }
    for (gpuocc::Branch &B : Out.Facts.Branches) {
      B.Op = Of[B.Op].At[0].first;
      B.Condition = renamed(B.Condition, 0);
    }
  }

  /// Addresses and conditions of neighbours that the first of them stands for,
  /// and addresses of words that a window has.
  void dropUnused() {
    std::vector<unsigned> Users(Out.Facts.Operations.size());
    auto Use = [&](const Operand &O, int By) {
      if (O.isValue())
        Users[O.Index] += By;
    };
    forEachOperand([&](const Operand &O) { Use(O, 1); });
    for (const gpuocc::Branch &B : Old.Branches)
      for (unsigned K = 0; K != (M.What == MergeOf::Neighbours ? 1 : M.Factor);
           ++K)
        Use(renamed(B.Condition, K), 1);
    for (uint32_t I = uint32_t(Out.Facts.Operations.size()); I-- != 0;) {
      Operation &Op = Out.Facts.Operations[I];
      const bool WasUsed = Origins[I].Copy != 0 || !LoadedWords.empty();
      if (!WasUsed || Users[I] != 0 || Op.NumResults == 0 ||
          Op.Access != NoIndex)
        continue;
      Op.Emits.clear();
      for (const Operand &O : Op.Operands)
        Use(O, -1);
    }
  }

  template <typename Function> void forEachOperand(Function F) const {
    for (const Operation &Op : Out.Facts.Operations) {
      for_each(Op.Operands, F);
      F(Op.Guard);
    }
    for (const MemoryAccess &A : Out.Facts.Accesses) {
      const Operation &Op = Out.Facts.Operations[A.Op];
      if (!is_contained(Op.Operands, A.Base))
        F(A.Base);
      F(A.SharedBase);
    }
  }

  void changeShared() {
    for (size_t S = 0; S != Multiplied.size(); ++S) {
      if (!Multiplied[S] || Old.Symbols[S].Space != MemorySpace::Shared)
        continue;
      if (Old.Symbols[S].IsDynamicShared)
        Out.Launched.DynamicSharedBytes.Value *= M.Factor;
      else
        Out.Facts.StaticSharedBytes +=
            (M.Factor - 1) * Old.Symbols[S].SizeBytes;
    }
  }

  /// Loops in which the threads of the grid take turns, each going on by as
  /// many words as there are threads, in at least M.Factor turns.
  std::vector<uint32_t> turnsOfGrid() const {
    auto ReadsGrid = [](const Operation &Op) {
      return Op.SReg == SpecialReg::NCtaIdX;
    };
    auto StepsByGrid = [&](const gpuocc::Loop &L) {
      return any_of(Old.Operations, [&](const Operation &Phi) {
        return Phi.What == Semantics::Phi && Phi.Block == L.Header &&
               any_of(Phi.Operands, [&](const Operand &Next) {
                 const Operation *Add = Old.operationOf(Next);
                 return Add && Add->What == Semantics::Add &&
                        is_contained(L.Blocks, Add->Block) &&
                        any_of(Add->Operands, [&](const Operand &By) {
                          return isSetOutside(Old, L, By) &&
                                 anyOperationBehind(Old, By, ReadsGrid);
                        });
               });
      });
    };
    std::vector<uint32_t> Found;
    for (uint32_t L = 0; L != Old.Loops.size(); ++L)
      if (OldProfile.Loops[L].TripCount >= M.Factor &&
          StepsByGrid(Old.Loops[L]))
        Found.push_back(L);
    return Found;
  }

  /// As many threads go on to take the turns of \p Loops, which are less.
  void takeFewerTurns(ArrayRef<uint32_t> Loops) {
    const double F = M.Factor;
    for (uint32_t L : Loops) {
      Out.Profile.Loops[L].TripCount /= F;
      for (uint32_t B : Old.Loops[L].Blocks)
        scaleExecutions(Out.Facts, Out.Profile, B, 1 / F);
    }
  }

  void changeLaunch() {
    const double F = M.Factor;
    if (M.What == MergeOf::Neighbours)
      if (const std::vector<uint32_t> Turns = turnsOfGrid(); !Turns.empty())
        return takeFewerTurns(Turns);
    for (WarpSample &S : Out.Profile.Samples) {
      S.Weight /= F;
      for (double &W : S.WeightOfTurn)
        W /= F;
    }
    if (M.What == MergeOf::Threads) {
      extent(Out.Launched.Block.Value, M.Dimension) /= M.Factor;
      const unsigned Warps = unsigned(Out.Launched.warpsPerBlock());
      for (WarpSample &S : Out.Profile.Samples)
        S.WarpInBlock %= Warps;
      return;
    }
    if (!Out.Launched.Grid)
      return;
    Sourced<Dim3> Grid = *Out.Launched.Grid;
    uint64_t &Extent = extent(Grid.Value, M.Dimension);
    Extent = (Extent + M.Factor - 1) / M.Factor;
    Out.Launched.Grid = std::move(Grid);
  }
};

} // namespace

bool gpuocc::isHalfArithmetic(const Operation &Op) {
  // The class is that of two; opcodes of LLVM tell them apart.
  const StringRef Opcode = Op.Opcode;
  return Opcode.contains_insensitive("f16") &&
         !Opcode.contains_insensitive("f16x2") && !Op.Emits.empty() &&
         all_of(Op.Emits, [](const Emission &E) {
           return E.Class == InstClass::HAdd2 || E.Class == InstClass::HMul2 ||
                  E.Class == InstClass::HFma2 || E.Class == InstClass::BFma2;
         });
}

bool gpuocc::canMerge(const KernelFacts &Facts, const ExecutionProfile &Profile,
                      const Launch &L, const Merge &M) {
  return isPossible(Facts, L, M) && MergeDependence(Facts, Profile, M).find();
}

Change gpuocc::mergeWork(Merge M, std::vector<WindowedLoad> Windows) {
  auto Apply = [M, Windows = std::move(Windows)](
                   KernelVariant V) -> Expected<KernelVariant> {
    MergeDependence Found(V.Facts, V.Profile, M);
    if (!isPossible(V.Facts, V.Launched, M) || !Found.find())
      return createStringError("the threads to merge run different code");
    return Merger(V.Facts, V.Profile, V.Launched, M, Found, Windows).run();
  };
  return {ChangeKind::MergeWork, Apply};
}
