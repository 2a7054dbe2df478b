//===- WidenLikePtxas.cpp - Neighbouring words that ptxas merges ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loads of neighbouring words of shared memory become one LDS.64 or LDS.128
/// where the address is known to be aligned (seen in the inner loops of tiled
/// matrix products: 32 loads of a row become 8). Any three words of an aligned
/// quad are loaded by one LDS.128, as x, y and z of four are (nvcc 13.0 for
/// sm_80 and sm_90; two of them that are no aligned pair, and bytes, are not).
/// Pointer arguments have no
/// alignment that ptxas knows, so loads through them stay as they are. Stores
/// become STS.64 and STS.128 alike, if no other access of shared memory comes
/// between them (nvcc 13.0 for sm_80 and sm_90: 2, 4 and 16 words in any order,
/// pairs of doubles, arrays of stated and of dynamic size; 3 words become two
/// and one; bytes stay as they are).
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Powers of two that divide values, as far as the operations tell.
class Alignments {
public:
  explicit Alignments(const KernelFacts &Facts)
      : Facts(Facts), Known(Facts.Operations.size(), Most) {
    // What goes round a loop starts high and falls to what holds.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I != Known.size(); ++I) {
        unsigned Now = std::min(Known[I], compute(Facts.Operations[I]));
        Changed |= Now != Known[I];
        Known[I] = Now;
      }
    }
  }

  /// Binary logarithm of the alignment of \p O.
  unsigned log2(const Operand &O) const {
    if (O.isImmediate())
      return O.Imm ? unsigned(std::countr_zero(uint64_t(O.Imm))) : Most;
    if (O.K == Operand::Kind::Symbol)
      return ofSymbol(Facts.Symbols[O.Index]);
    return O.isValue() ? Known[O.Index] : 0;
  }

private:
  static constexpr unsigned Most = 16;
  const KernelFacts &Facts;
  std::vector<unsigned> Known;

  /// ptxas gives arrays in shared memory the alignment of its widest access.
  static unsigned ofSymbol(const Symbol &S) {
    constexpr unsigned WidestLog2 = 4;
    unsigned Stated =
        unsigned(std::countr_zero(std::max<uint64_t>(1, S.AlignBytes)));
    unsigned Offset =
        S.OffsetBytes ? unsigned(std::countr_zero(S.OffsetBytes)) : Most;
    return S.Space == MemorySpace::Shared ? std::min(WidestLog2, Offset)
                                          : Stated;
  }

  unsigned compute(const Operation &Op) const {
    auto Of = [&](unsigned N) { return log2(Op.Operands[N]); };
    switch (Op.What) {
    case Semantics::SymbolAddress:
    case Semantics::Copy:
    case Semantics::SExt:
    case Semantics::ZExt:
    case Semantics::Trunc:
      return Of(0);
    case Semantics::Add:
    case Semantics::Sub:
    case Semantics::Or:
    case Semantics::Xor:
    case Semantics::Select:
      return std::min(Of(0), Of(1));
    case Semantics::And:
      return std::max(Of(0), Of(1));
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
      return Of(0) + Of(1);
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return std::min(Of(0) + Of(1), Of(2));
    case Semantics::Shl:
      return Op.Operands[1].isImmediate() ? Of(0) + unsigned(Op.Operands[1].Imm)
                                          : Of(0);
    case Semantics::Phi: {
      unsigned Least = Most;
      for (const Operand &O : Op.Operands)
        Least = std::min(Least, log2(O));
      return Least;
    }
    default:
      return 0;
    }
  }
};

class Widener {
public:
  explicit Widener(KernelFacts &Facts)
      : Facts(Facts), Alignment(Facts), Merged(Facts.Accesses.size()) {}

  void run() {
    for (const gpuocc::BasicBlock &B : Facts.Blocks)
      walk(B);
    if (is_contained(Merged, true))
      dropMerged();
  }

private:
  KernelFacts &Facts;
  Alignments Alignment;
  /// Accesses that became part of a wider one.
  std::vector<bool> Merged;
  /// Loads since the last store, by what they are relative to.
  std::map<std::pair<uint32_t, unsigned>, SmallVector<uint32_t, 8>> Open;
  /// Stores since the last other access, all relative to the same.
  SmallVector<uint32_t, 8> OpenStores;

  void walk(const gpuocc::BasicBlock &B) {
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Op.Access != NoIndex)
        visit(Op.Access);
      else if (any_of(Op.Emits, [](const Emission &E) {
                 return E.Class == InstClass::Barrier ||
                        E.Class == InstClass::MemBar ||
                        E.Class == InstClass::Call;
               }))
        close();
    }
    close();
  }

  void visit(uint32_t Index) {
    const MemoryAccess &A = Facts.Accesses[Index];
    bool IsShared = A.Space == MemorySpace::Shared;
    if (!IsShared && A.Space != MemorySpace::Generic)
      return;
    const bool MayWiden = IsShared && !A.Volatile && A.Base.isValue() &&
                          (A.BytesPerLane == 4 || A.BytesPerLane == 8);
    if (A.Kind == AccessKind::Load) {
      closeStores();
      if (MayWiden)
        Open[{A.Base.Index, A.BytesPerLane}].push_back(Index);
      return;
    }
    closeLoads();
    if (A.Kind != AccessKind::Store || !MayWiden)
      return closeStores();
    if (!OpenStores.empty() && !continues(Facts.Accesses[OpenStores[0]], A))
      closeStores();
    OpenStores.push_back(Index);
  }

  static bool continues(const MemoryAccess &First, const MemoryAccess &A) {
    return First.Base == A.Base && First.BytesPerLane == A.BytesPerLane;
  }

  void close() {
    closeLoads();
    closeStores();
  }

  void closeLoads() {
    for (auto &[Key, Loads] : Open)
      widenAll(Loads);
    Open.clear();
  }

  void closeStores() {
    widenAll(OpenStores);
    OpenStores.clear();
  }

  void widenAll(SmallVectorImpl<uint32_t> &Accesses) {
    llvm::sort(Accesses, [&](uint32_t X, uint32_t Y) {
      const MemoryAccess &A = Facts.Accesses[X], &B = Facts.Accesses[Y];
      return std::tie(A.OffsetBytes, A.Op) < std::tie(B.OffsetBytes, B.Op);
    });
    for (size_t I = 0; I < Accesses.size();)
      I += widen(ArrayRef(Accesses).drop_front(I));
  }

  /// Merges the first of \p Accesses with the ones behind it. Returns how many
  /// are done with.
  size_t widen(ArrayRef<uint32_t> Accesses) {
    const MemoryAccess &First = Facts.Accesses[Accesses.front()];
    if (const size_t Words = wordsOfQuad(Accesses)) {
      merge(Accesses.take_front(Words), First.OffsetBytes & ~(QuadBytes - 1),
            QuadBytes);
      return Words;
    }
    unsigned Aligned =
        1u << std::min({Alignment.log2(First.Base), 4u,
                        First.OffsetBytes ? unsigned(std::countr_zero(
                                                uint64_t(First.OffsetBytes)))
                                          : 4u});
    size_t Run = 1;
    while (Run < Accesses.size() &&
           Facts.Accesses[Accesses[Run]].OffsetBytes ==
               First.OffsetBytes + int64_t(Run * First.BytesPerLane))
      ++Run;
    size_t Count =
        std::bit_floor(std::min<size_t>(Run, Aligned / First.BytesPerLane));
    if (Count < 2)
      return 1;
    merge(Accesses.take_front(Count), First.OffsetBytes,
          unsigned(Count) * First.BytesPerLane);
    return Count;
  }

  static constexpr int64_t QuadBytes = 16;

  /// How many of \p Accesses, from the first on, load words of one aligned quad
  /// of which at least three are loaded; 0 where fewer are.
  size_t wordsOfQuad(ArrayRef<uint32_t> Accesses) const {
    constexpr unsigned WordBytes = 4, FewestWords = 3, QuadLog2 = 4;
    const MemoryAccess &First = Facts.Accesses[Accesses.front()];
    if (First.Kind != AccessKind::Load || First.BytesPerLane != WordBytes ||
        Alignment.log2(First.Base) < QuadLog2)
      return 0;
    const int64_t End = (First.OffsetBytes & ~(QuadBytes - 1)) + QuadBytes;
    size_t Count = 0, Words = 0;
    int64_t Before = First.OffsetBytes - 1;
    for (; Count != Accesses.size(); ++Count) {
      const int64_t Offset = Facts.Accesses[Accesses[Count]].OffsetBytes;
      if (Offset >= End)
        break;
      Words += Offset != Before;
      Before = Offset;
    }
    return Words >= FewestWords ? Count : 0;
  }

  /// The load that comes first in the program moves the data of all, or the
  /// store that comes last.
  void merge(ArrayRef<uint32_t> Accesses, int64_t Offset, unsigned Bytes) {
    const auto IsBefore = [&](uint32_t X, uint32_t Y) {
      return Facts.Accesses[X].Op < Facts.Accesses[Y].Op;
    };
    const bool AreStores =
        Facts.Accesses[Accesses.front()].Kind == AccessKind::Store;
    uint32_t Wide = AreStores ? *max_element(Accesses, IsBefore)
                              : *min_element(Accesses, IsBefore);
    if (AreStores)
      gather(Accesses, Wide);
    MemoryAccess &A = Facts.Accesses[Wide];
    A.OffsetBytes = Offset;
    A.BytesPerLane = Bytes;
    for (uint32_t Index : Accesses) {
      if (Index == Wide)
        continue;
      Merged[Index] = true;
      Operation &Op = Facts.Operations[Facts.Accesses[Index].Op];
      Op.What = Semantics::Opaque;
      if (AreStores)
        Op.Operands.clear();
      else
        Op.Operands = {Operand::value(A.Op)};
      Op.Emits.clear();
      Op.Access = NoIndex;
    }
  }

  /// Gives the store \p Wide what all of \p Stores wait for and write.
  void gather(ArrayRef<uint32_t> Stores, uint32_t Wide) {
    Operation &Op = Facts.Operations[Facts.Accesses[Wide].Op];
    SmallVector<Operand, 1> Stored;
    bool AreKnown = true;
    for (uint32_t Index : Stores) {
      const MemoryAccess &A = Facts.Accesses[Index];
      AreKnown &= A.Stored.size() == 1;
      Stored.append(A.Stored);
      for (const Operand &O : Facts.Operations[A.Op].Operands)
        if (O.isValue() && !is_contained(Op.Operands, O))
          Op.Operands.push_back(O);
    }
    if (!AreKnown)
      Stored.clear();
    Facts.Accesses[Wide].Stored = std::move(Stored);
  }

  void dropMerged() {
    std::vector<MemoryAccess> Kept;
    for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
      if (Merged[I])
        continue;
      Facts.Operations[Facts.Accesses[I].Op].Access = uint32_t(Kept.size());
      Kept.push_back(std::move(Facts.Accesses[I]));
    }
    Facts.Accesses = std::move(Kept);
  }
};

} // namespace

void gpuocc::widenLikePtxas(KernelFacts &Facts) { Widener(Facts).run(); }
