//===- LaneDrawing.cpp - Lanes on sectors and banks -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneDrawing.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

static constexpr unsigned NumLanes = 32;
/// Rows drawn before the rest is only counted.
static constexpr size_t MostDrawnRows = 6;

namespace {
/// What is drawn in one row: a sector, or a bank.
struct Place {
  std::set<int64_t> Words;
  std::vector<unsigned> Lanes;
};
} // namespace

/// The places of \p PlaceBytes that the lanes touch, by index; the first lane
/// is at address 0. With \p NumBanks they are banks, which repeat.
static std::map<int64_t, Place> collectPlaces(int64_t Stride, unsigned Bytes,
                                              unsigned Lanes,
                                              int64_t PlaceBytes,
                                              int64_t NumBanks) {
  constexpr int64_t WordBytes = 4;
  // The lowest address is 0, whichever way lanes go.
  const int64_t Lowest = Stride < 0 ? -Stride * int64_t(Lanes - 1) : 0;
  std::map<int64_t, Place> Places;
  for (unsigned Lane = 0; Lane != Lanes; ++Lane)
    for (int64_t Byte = 0; Byte < int64_t(Bytes); Byte += WordBytes) {
      const int64_t Address = Lowest + Stride * int64_t(Lane) + Byte;
      int64_t Index = Address / PlaceBytes;
      if (NumBanks != 0)
        Index %= NumBanks;
      Place &P = Places[Index];
      P.Words.insert(Address / WordBytes);
      if (P.Lanes.empty() || P.Lanes.back() != Lane)
        P.Lanes.push_back(Lane);
    }
  return Places;
}

/// "lane 3", "lanes 0 to 7", "lanes 0, 8, 16, ...".
static std::string lanesText(const std::vector<unsigned> &Lanes) {
  if (Lanes.size() == 1)
    return "lane " + utostr(Lanes.front());
  if (Lanes.back() - Lanes.front() + 1 == Lanes.size())
    return "lanes " + utostr(Lanes.front()) + " to " + utostr(Lanes.back());
  std::string Text = "lanes ";
  for (size_t I = 0; I != std::min<size_t>(Lanes.size(), 3); ++I)
    Text += (I ? ", " : "") + utostr(Lanes[I]);
  return Lanes.size() > 3 ? Text + ", ..." : Text;
}

static std::string drawSectors(int64_t Stride, unsigned Bytes) {
  constexpr int64_t SectorBytes = 32, WordBytes = 4;
  const std::map<int64_t, Place> Sectors =
      collectPlaces(Stride, Bytes, NumLanes, SectorBytes, 0);
  std::string Text;
  size_t Row = 0;
  for (const auto &[Index, Sector] : Sectors) {
    if (++Row > MostDrawnRows) {
      Text += "... and " +
              formatCount(Sectors.size() - MostDrawnRows, "sector") + " more\n";
      break;
    }
    std::string Bytes(size_t(SectorBytes / WordBytes), '.');
    for (int64_t Word : Sector.Words)
      Bytes[size_t(Word % (SectorBytes / WordBytes))] = '#';
    std::string Name = utostr(uint64_t(Index));
    Text += "sector " +
            std::string(Name.size() < 4 ? 4 - Name.size() : 0, ' ') + Name +
            "  [" + Bytes + "]  " + lanesText(Sector.Lanes) + "\n";
  }
  return Text;
}

static std::string drawBanks(int64_t Stride, unsigned Bytes) {
  constexpr int64_t NumBanks = 32, BankBytes = 4;
  // Wider accesses are served by halves and quarters of a warp.
  const unsigned Lanes = Bytes > 4 ? NumLanes * 4 / Bytes : NumLanes;
  const std::map<int64_t, Place> Banks =
      collectPlaces(Stride, Bytes, Lanes, BankBytes, NumBanks);
  std::string Text;
  if (Lanes != NumLanes)
    Text += "the first " + utostr(Lanes) + " lanes, which go together\n";
  size_t Row = 0;
  for (const auto &[Index, Bank] : Banks) {
    if (++Row > MostDrawnRows) {
      Text += "... and " + formatCount(Banks.size() - MostDrawnRows, "bank") +
              " more\n";
      break;
    }
    std::string Name = utostr(uint64_t(Index));
    Text += "bank " + std::string(Name.size() < 2 ? 1 : 0, ' ') + Name + "  [" +
            std::string(Bank.Words.size(), '#') + "]  " +
            formatCount(Bank.Words.size(), "word") + ": " +
            lanesText(Bank.Lanes) + "\n";
  }
  if (Banks.size() < size_t(NumBanks))
    Text += formatCount(NumBanks - Banks.size(), "bank") + " idle\n";
  return Text;
}

std::string editor::drawLanes(const MemoryAccess &Access,
                              const AccessProfile &Profile) {
  const bool IsShared = Access.Space == MemorySpace::Shared;
  const bool IsGlobal = Access.Space == MemorySpace::Global ||
                        Access.Space == MemorySpace::Generic ||
                        Access.Space == MemorySpace::Local;
  const unsigned Bytes = std::max(Access.BytesPerLane, 1u);
  if (!Profile.LaneStrideBytes || Profile.ActiveLanes < NumLanes ||
      Bytes > 16 || (!IsShared && !IsGlobal))
    return Profile.Pattern.empty() ? "" : Profile.Pattern + "\n";
  return IsShared ? drawBanks(*Profile.LaneStrideBytes, Bytes)
                  : drawSectors(*Profile.LaneStrideBytes, Bytes);
}
