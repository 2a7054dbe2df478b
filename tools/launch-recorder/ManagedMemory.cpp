//===- ManagedMemory.cpp - Where pages of managed memory are --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ManagedMemory.h"
#include "ContentDigest.h"
#include <algorithm>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>

using namespace gpuocc::recorder;

static constexpr size_t PageBytes = 4096;

/// Allocations that are looked at before and behind each launch.
static constexpr size_t MostDigested = size_t(16) << 20;

static size_t pagesOf(size_t Bytes) {
  return (Bytes + PageBytes - 1) / PageBytes;
}

/// By page from \p Start on, whether the process has used it. All, where the
/// system does not say.
static std::vector<bool> usedPages(uintptr_t Start, size_t NumPages) {
  constexpr unsigned PresentBit = 63, SwappedBit = 62;
  std::vector<uint64_t> Entries(NumPages, uint64_t(1) << PresentBit);
  const int Table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (Table >= 0) {
    const size_t Bytes = NumPages * sizeof(uint64_t);
    std::vector<uint64_t> Read(NumPages);
    if (pread(Table, Read.data(), Bytes,
              off_t(Start / PageBytes * sizeof(uint64_t))) == ssize_t(Bytes))
      Entries = std::move(Read);
    close(Table);
  }
  std::vector<bool> Used(NumPages);
  for (size_t I = 0; I != NumPages; ++I)
    Used[I] = Entries[I] >> PresentBit & 1 || Entries[I] >> SwappedBit & 1;
  return Used;
}

static uint64_t digestOfPage(uintptr_t Start, size_t Page) {
  return digestOf(reinterpret_cast<const void *>(Start + Page * PageBytes),
                  PageBytes);
}

void ManagedMemory::add(const void *Pointer, size_t Bytes) {
  std::lock_guard<std::mutex> Guard(Lock);
  Allocation &A = Allocations[uintptr_t(Pointer)];
  A = {};
  A.Bytes = Bytes;
  A.Owners.assign(pagesOf(Bytes), Owner::Nobody);
}

void ManagedMemory::remove(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  Allocations.erase(uintptr_t(Pointer));
}

ManagedMemory::AllocationMap::iterator
ManagedMemory::find(const void *Pointer) {
  auto Behind = Allocations.upper_bound(uintptr_t(Pointer));
  if (Behind == Allocations.begin())
    return Allocations.end();
  auto Found = std::prev(Behind);
  return uintptr_t(Pointer) - Found->first < Found->second.Bytes
             ? Found
             : Allocations.end();
}

void ManagedMemory::move(const void *Pointer, size_t Bytes, bool ToDevice) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  if (Found == Allocations.end())
    return;
  Allocation &A = Found->second;
  const size_t First = (uintptr_t(Pointer) - Found->first) / PageBytes;
  const size_t End = std::min(
      A.Owners.size(), pagesOf(uintptr_t(Pointer) - Found->first + Bytes));
  std::fill(A.Owners.begin() + ptrdiff_t(First),
            A.Owners.begin() + ptrdiff_t(std::max(First, End)),
            ToDevice ? Owner::Device : Owner::Nobody);
  if (!ToDevice || A.Bytes > MostDigested)
    return;
  A.Digests.resize(A.Owners.size());
  for (size_t I = First; I < End; ++I)
    A.Digests[I] = digestOfPage(Found->first, I);
}

ManagedTouch ManagedMemory::touch(const void *Pointer) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = find(Pointer);
  if (Found == Allocations.end() || Found->second.IsTouched)
    return {};
  auto &[Start, A] = *Found;
  ManagedTouch Out;
  const bool AllAreDevices = std::find(A.Owners.begin(), A.Owners.end(),
                                       Owner::Nobody) == A.Owners.end();
  const std::vector<bool> Used =
      AllAreDevices ? std::vector<bool>() : usedPages(Start, A.Owners.size());
  for (size_t I = 0; I != A.Owners.size(); ++I)
    if (A.Owners[I] == Owner::Nobody)
      (Used[I] ? Out.FromHost : Out.Fresh) += PageBytes;
    else if (I < A.Digests.size() && A.Digests[I] != digestOfPage(Start, I))
      Out.FromHost += PageBytes;
  std::fill(A.Owners.begin(), A.Owners.end(), Owner::Device);
  A.IsTouched = true;
  return Out;
}

void ManagedMemory::noteRun() {
  std::lock_guard<std::mutex> Guard(Lock);
  for (auto &[Start, A] : Allocations) {
    if (!A.IsTouched)
      continue;
    A.IsTouched = false;
    if (A.Bytes > MostDigested)
      continue;
    A.Digests.resize(A.Owners.size());
    for (size_t I = 0; I != A.Digests.size(); ++I)
      A.Digests[I] = digestOfPage(Start, I);
  }
}

ManagedMemory &gpuocc::recorder::managedMemory() {
  // Never destroyed: programs free memory while they end.
  static ManagedMemory &Memory = *new ManagedMemory;
  return Memory;
}
