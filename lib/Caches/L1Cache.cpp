//===- L1Cache.cpp - Least recently used lines of one SM ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L1Cache.h"
#include <algorithm>

using namespace gpuocc;

void L1Cache::unlink(uint32_t I) {
  Entry &E = Entries[I];
  (E.Older == None ? Oldest : Entries[E.Older].Newer) = E.Newer;
  (E.Newer == None ? Newest : Entries[E.Newer].Older) = E.Older;
}

void L1Cache::makeNewest(uint32_t I) {
  Entries[I].Older = Newest;
  Entries[I].Newer = None;
  (Newest == None ? Oldest : Entries[Newest].Newer) = I;
  Newest = I;
}

uint32_t L1Cache::insert(uint64_t Line, uint64_t Size) {
  while (Used + Size > Capacity && Oldest != None) {
    uint32_t Victim = Oldest;
    unlink(Victim);
    Used -= Entries[Victim].Size;
    Index.erase(Entries[Victim].Line);
    Free.push_back(Victim);
  }
  uint32_t I;
  if (Free.empty()) {
    I = uint32_t(Entries.size());
    Entries.emplace_back();
  } else {
    I = Free.back();
    Free.pop_back();
  }
  Entries[I] = Entry();
  Entries[I].Line = Line;
  Entries[I].Size = Size;
  Used += Size;
  Index[Line] = I;
  makeNewest(I);
  return I;
}

TouchResult L1Cache::touch(const LineTouch &T, bool IsStore, Toucher By,
                           uint64_t Turn) {
  TouchResult Result;
  if (Capacity == 0) {
    Result.IsNew = true;
    return Result;
  }
  auto It = Index.find(T.Line);
  uint32_t I;
  if (It != Index.end()) {
    I = It->second;
    if (Entries[I].Epoch != Epoch && !Entries[I].IsLocal) {
      Entries[I].Valid = 0;
      Result.IsNew = true;
    } else {
      Result.HitSectors =
          IsStore ? T.Sectors : uint8_t(Entries[I].Valid & T.Sectors);
      Result.Before = Entries[I].Last;
      Result.FetchedAt = Entries[I].FetchedAt;
      Result.VisitedAt = Entries[I].VisitedAt;
    }
    unlink(I);
    makeNewest(I);
  } else {
    Result.IsNew = true;
    I = insert(T.Line, 1);
  }
  bool Fetches = !IsStore && (T.Sectors & ~Entries[I].Valid);
  if (Fetches)
    Entries[I].FetchedAt = Turn;
  if (Fetches || IsStore)
    Entries[I].VisitedAt = Turn;
  Entries[I].Valid |= IsStore ? T.Whole : T.Sectors;
  Entries[I].Epoch = Epoch;
  Entries[I].IsLocal = T.IsLocal;
  Entries[I].Last = By;
  return Result;
}

void L1Cache::age(uint64_t Lines) {
  if (Lines > 0 && Capacity > 0)
    insert(NextStandIn++, std::min(Lines, Capacity));
}
