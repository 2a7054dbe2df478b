//===- SharedTable.cpp - Tables that a block copies to itself -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/SharedTable.h"
#include "Spacing.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned LanesOfWarp = 32;

/// A load at a place that a loaded index chooses from words that are known.
static bool choosesWord(const KernelVariant &V, uint32_t I) {
  const MemoryAccess &A = V.Facts.Accesses[I];
  return A.Kind == AccessKind::Load && A.Space != MemorySpace::Constant &&
         !A.Volatile && !A.Acquires && A.Rank == 0 &&
         V.Profile.Accesses[I].DrawnAddresses;
}

std::vector<LoadedTable> gpuocc::tablesToCopy(const KernelVariant &V) {
  std::map<uint64_t, LoadedTable> Tables;
  std::set<uint64_t> Others;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = V.Facts.Accesses[I];
    if (!isInArrays(A.Space))
      continue;
    const std::optional<uint64_t> Array = arrayOfAccess(V.Facts, A);
    // What writes to some array may write to the table.
    if (!Array && A.Kind != AccessKind::Load)
      return {};
    if (!Array)
      continue;
    if (!choosesWord(V, I)) {
      Others.insert(*Array);
      continue;
    }
    LoadedTable &Table = Tables[*Array];
    Table.Loads.push_back(I);
    Table.Words = std::max(Table.Words, *V.Profile.Accesses[I].DrawnAddresses);
    Table.BytesOfWord = std::max(Table.BytesOfWord, A.BytesPerLane);
    constexpr int64_t MostApart = 256;
    Table.BytesApart =
        std::max({Table.BytesApart, Table.BytesOfWord,
                  unsigned(std::min(spacingOf(V.Facts, A.Base), MostApart))});
  }
  std::vector<LoadedTable> Out;
  const double Warps = double(V.Launched.warpsPerBlock());
  for (auto &[Array, Table] : Tables) {
    double Read = 0;
    for (uint32_t I : Table.Loads)
      Read += V.Profile.Accesses[I].RequestsPerWarp *
              V.Profile.Accesses[I].ActiveLanes * Warps;
    if (!Others.count(Array) && Read > Table.Words)
      Out.push_back(std::move(Table));
  }
  return Out;
}

double gpuocc::passesOfDrawn(const LoadedTable &Table,
                             const MemoryGeometry &G) {
  constexpr unsigned Requests = 64;
  const unsigned BanksOfWord =
      std::max(1u, Table.BytesOfWord / G.SharedBankBytes);
  const unsigned LanesOfPass = std::max(1u, LanesOfWarp / BanksOfWord);
  const uint64_t Places = std::max<uint64_t>(1, uint64_t(Table.Words));
  // Knuth's multiplicative generator, always begun alike: 64 bits.
  uint64_t State = 1;
  unsigned Passes = 0;
  for (unsigned R = 0; R != Requests; ++R)
    for (unsigned Lane = 0; Lane != LanesOfWarp; Lane += LanesOfPass) {
      std::map<uint64_t, std::set<uint64_t>> WordsOfBank;
      size_t Most = 1;
      for (unsigned L = 0; L != LanesOfPass; ++L) {
        State = State * 6364136223846793005ULL + 1442695040888963407ULL;
        const uint64_t First = (State >> 33) % Places * Table.BytesApart;
        for (unsigned B = 0; B != BanksOfWord; ++B) {
          const uint64_t Word = First / G.SharedBankBytes + B;
          std::set<uint64_t> &Words = WordsOfBank[Word % G.SharedBanks];
          Words.insert(Word);
          Most = std::max(Most, Words.size());
        }
      }
      Passes += unsigned(Most);
    }
  return double(Passes) / Requests;
}

namespace {

/// Lets loads of a table read a copy.
class TableCopier {
public:
  TableCopier(KernelVariant &V, const LoadedTable &Table,
              const MemoryGeometry &G)
      : V(V), Table(Table), G(G) {}

  void run() {
    const double Passes = passesOfDrawn(Table, G);
    addCopy();
    for (uint32_t I : Table.Loads) {
      MemoryAccess &A = V.Facts.Accesses[I];
      for (Emission &E : V.Facts.Operations[A.Op].Emits)
        if (E.Class == InstClass::LdGlobal || E.Class == InstClass::LdGeneric)
          E.Class = InstClass::LdShared;
      A.Space = MemorySpace::Shared;
      A.NonCoherent = false;
      AccessProfile &P = V.Profile.Accesses[I];
      // Halves of halves lie at one place of their lines, which is one bank.
      const double OfLines =
          isLoadedIndex(V.Facts, A.Base) ? 1 : P.WavefrontsPerRequest;
      P.WavefrontsPerRequest =
          std::max(OfLines, Passes * P.ActiveLanes / LanesOfWarp);
      P.IdealWavefrontsPerRequest = std::max(
          1.0, double(LanesOfWarp * A.BytesPerLane) / G.sharedPassBytes());
      P.L1HitFraction = P.L2HitFraction = 0;
      P.WaveSectors = P.WaveSpanBytes = Known<double>::unknown("a copy");
    }
    moveOperations(V, Moves);
    V.Facts.StaticSharedBytes += uint64_t(Table.bytes());
  }

private:
  KernelVariant &V;
  const LoadedTable &Table;
  const MemoryGeometry &G;
  std::vector<MoveOperation> Moves;

  /// The loop that copies: compilers unroll it, so that four loads are under
  /// way.
  void addCopy() {
    constexpr float Unrolled = 4;
    const MemoryAccess From = V.Facts.Accesses[Table.Loads.front()];
    const float Times =
        float(Table.Words / (double(V.Launched.warpsPerBlock()) * LanesOfWarp));
    const float OnPath = std::max(std::min(Times, 1.0f), Times / Unrolled);
    Operation Load = V.Facts.Operations[From.Op];
    Load.Guard = Operand();
    Load.Operands.clear();
    Load.Block = 0;
    Load.Emits = {{InstClass::IAdd3, Times, OnPath},
                  {InstClass::LdGlobal, Times, OnPath},
                  {InstClass::ISetp, Times / Unrolled, 0},
                  {InstClass::Branch, Times / Unrolled, 0}};
    AccessProfile P = V.Profile.Accesses[Table.Loads.front()];
    P.ExecutionsPerWarp = V.Profile.Blocks[0].ExecutionsPerWarp;
    P.RequestsPerWarp = P.ExecutionsPerWarp * Times;
    P.ActiveLanes = LanesOfWarp;
    P.DrawnAddresses = Known<double>::unknown("a copy");
    P.IsInOrder = true;
    // Blocks begin one after the other, and ask for its lines in turn.
    P.WaveSectors = P.WaveSpanBytes = Known<double>::unknown("a copy");
    P.LaneStrideBytes = int64_t(From.BytesPerLane);
    P.SectorsPerRequest = P.IdealSectorsPerRequest =
        double(LanesOfWarp * From.BytesPerLane) / G.SectorBytes;
    P.LinesPerRequest =
        std::max(1.0, double(LanesOfWarp * From.BytesPerLane) / G.LineBytes);
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest = P.LinesPerRequest;
    // The words that L1 does not have are those that it did not have before.
    double Missed = 0;
    for (uint32_t I : Table.Loads) {
      const AccessProfile &Before = V.Profile.Accesses[I];
      Missed += Before.RequestsPerWarp * Before.SectorsPerRequest *
                (1 - Before.L1HitFraction);
    }
    const double Asked = P.RequestsPerWarp * P.SectorsPerRequest;
    const double Share = Asked > 0 ? std::min(1.0, Missed / Asked) : 0;
    P.L1HitFraction = 1 - Share;
    P.L1WaitFraction = P.LineVisitFraction = Share;
    const uint32_t Copy = add(Load, From, P);
    Operation Put = V.Facts.Operations[Copy];
    Put.What = Semantics::Opaque;
    Put.NumResults = 0;
    Put.Opcode = "copied";
    Put.Emits = {{InstClass::StShared, Times, OnPath},
                 {InstClass::Barrier, 1, 1}};
    Put.Operands = {Operand::value(Copy)};
    MemoryAccess To;
    To.Space = MemorySpace::Shared;
    To.Kind = AccessKind::Store;
    To.BytesPerLane = From.BytesPerLane;
    To.Stored = {Operand::value(Copy)};
    AccessProfile Stored;
    Stored.ExecutionsPerWarp = P.ExecutionsPerWarp;
    Stored.RequestsPerWarp = P.RequestsPerWarp;
    Stored.WavefrontsPerRequest = Stored.IdealWavefrontsPerRequest =
        P.WavefrontsPerRequest;
    add(std::move(Put), std::move(To), Stored);
  }

  uint32_t add(Operation Op, MemoryAccess Access, AccessProfile Profile) {
    const uint32_t Index = uint32_t(V.Facts.Operations.size());
    Op.Access = uint32_t(V.Facts.Accesses.size());
    Access.Op = Index;
    Access.Base = Operand();
    Moves.push_back({Index, 0, /*ToBegin=*/true});
    V.Facts.Accesses.push_back(std::move(Access));
    V.Profile.Accesses.push_back(std::move(Profile));
    V.Facts.Operations.push_back(std::move(Op));
    return Index;
  }
};

} // namespace

Change gpuocc::copyTables(std::vector<LoadedTable> Tables, MemoryGeometry G) {
  return makeChange(ChangeKind::CopyTables,
                    [Tables = std::move(Tables), G](KernelVariant &V) {
                      for (const LoadedTable &Table : Tables)
                        TableCopier(V, Table, G).run();
                    });
}
