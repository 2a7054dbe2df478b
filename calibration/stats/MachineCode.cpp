//===- MachineCode.cpp - Instructions of a cubin --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineCode.h"
#include "Statistics.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <cstring>
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

/// A structure of \p File at \p Offset, or nothing where the file ends before.
template <typename T>
static std::optional<T> structureAt(StringRef File, uint64_t Offset) {
  if (Offset > File.size() || File.size() - Offset < sizeof(T))
    return std::nullopt;
  T Structure;
  std::memcpy(&Structure, File.data() + Offset, sizeof(T));
  return Structure;
}

/// The bytes of section \p Name of the ELF file \p File, or nothing.
static StringRef elfSection(StringRef File, StringRef Name) {
  auto Header = structureAt<ELF::Elf64_Ehdr>(File, 0);
  if (!Header || !Header->checkMagic())
    return {};
  auto SectionHeader = [&](unsigned Index) {
    return structureAt<ELF::Elf64_Shdr>(
        File, Header->e_shoff + uint64_t(Index) * Header->e_shentsize);
  };
  auto Contents = [&](const ELF::Elf64_Shdr &Section) {
    return File.substr(Section.sh_offset, Section.sh_size);
  };
  auto Names = SectionHeader(Header->e_shstrndx);
  if (!Names)
    return {};
  for (unsigned Index = 0; Index < Header->e_shnum; ++Index)
    if (auto Section = SectionHeader(Index)) {
      StringRef Rest = Contents(*Names).drop_front(
          std::min<size_t>(Section->sh_name, Contents(*Names).size()));
      if (Rest.take_until([](char C) { return C == 0; }) == Name)
        return Contents(*Section);
    }
  return {};
}

static EncodedInstruction decode(uint64_t Lower, uint64_t Upper) {
  static constexpr unsigned ControlBit = 105 - 64, StallBits = 4, YieldBits = 1;
  static constexpr unsigned NoBarrier = 7;
  EncodedInstruction I;
  I.Opcode = Lower & 0x1ff;
  uint64_t Control = Upper >> ControlBit;
  I.StallCycles = Control & ((1 << StallBits) - 1);
  I.SetsBarrier = ((Control >> (StallBits + YieldBits)) & 7) != NoBarrier;
  return I;
}

std::vector<EncodedInstruction> instructionsOf(StringRef Cubin,
                                               StringRef Kernel) {
  static constexpr size_t Bytes = 16;
  StringRef Text = elfSection(Cubin, ".text." + Kernel.str());
  std::vector<EncodedInstruction> Code;
  for (size_t At = 0; At + Bytes <= Text.size(); At += Bytes)
    Code.push_back(decode(support::endian::read64le(Text.data() + At),
                          support::endian::read64le(Text.data() + At + 8)));
  return Code;
}

std::set<unsigned> frequentOpcodes(ArrayRef<EncodedInstruction> Code,
                                   unsigned Times) {
  // NOP, which goes on where a stall is longer than the control code can say.
  static constexpr unsigned Nop = 0x118;
  std::map<unsigned, unsigned> Counts;
  for (const EncodedInstruction &I : Code)
    if (I.Opcode != Nop)
      ++Counts[I.Opcode];
  std::set<unsigned> Frequent;
  for (auto [Opcode, Count] : Counts)
    if (Count >= Times)
      Frequent.insert(Opcode);
  return Frequent;
}

std::optional<IssueDistance> issueDistance(ArrayRef<EncodedInstruction> Code,
                                           const std::set<unsigned> &First,
                                           const std::set<unsigned> &Second) {
  std::vector<double> Distances;
  double Since = 0;
  unsigned WithBarrier = 0;
  const EncodedInstruction *Last = nullptr;
  for (const EncodedInstruction &I : Code) {
    if (Second.count(I.Opcode) && Last) {
      Distances.push_back(Since);
      WithBarrier += Last->SetsBarrier;
    }
    if (First.count(I.Opcode)) {
      Last = &I;
      Since = 0;
    } else if (Second.count(I.Opcode)) {
      Last = nullptr;
    }
    Since += I.StallCycles;
  }
  std::optional<double> Median = percentile(Distances, 0.5);
  if (!Median)
    return std::nullopt;
  double Sum = 0;
  unsigned Count = 0;
  for (double D : Distances)
    if (D < 3 * *Median) {
      Sum += D;
      ++Count;
    }
  if (Count == 0)
    return std::nullopt;
  return IssueDistance{Sum / Count, 4 * WithBarrier >= Distances.size()};
}

} // namespace gpuocc::calibration
