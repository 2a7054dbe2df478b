//===- SeenReads.cpp - What threads of a launch have read -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/SeenReads.h"
#include "WriteKept.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The version changes with the form.
constexpr char Magic[] = "gpuocc-seen-2";

struct FileHeader {
  char Mark[16];
  uint64_t Grid[3], Block[3];
  uint64_t NumBlocks, NumVariables;
};

struct BlockHeader {
  uint64_t Number, NumReads, IsCut;
};

/// The name follows.
struct VariableHeader {
  uint64_t Address, NameBytes;
};

} // namespace

/// Repetitions of a value that are kept where another follows: what looks at a
/// word until it changes looks as often as the host lets it.
static constexpr uint32_t MostRepeated = 1 << 12;

template <typename T> static StringRef bytesOf(const T &V) {
  return StringRef(reinterpret_cast<const char *>(&V), sizeof(T));
}

Error gpuocc::writeSeenBlocks(StringRef Path, Dim3 Grid, Dim3 Block,
                              ArrayRef<SeenBlock> Blocks,
                              const VariableAddresses &Variables) {
  return writeKept(Path, [&](raw_ostream &OS) {
    FileHeader Header = {{},
                         {Grid.X, Grid.Y, Grid.Z},
                         {Block.X, Block.Y, Block.Z},
                         Blocks.size(),
                         Variables.size()};
    std::memcpy(Header.Mark, Magic, sizeof(Magic));
    OS << bytesOf(Header);
    for (const auto &[Name, Address] : Variables)
      OS << bytesOf(VariableHeader{Address, Name.size()}) << Name;
    for (const SeenBlock &B : Blocks) {
      OS << bytesOf(BlockHeader{B.Number, B.Reads.size(), B.IsCut});
      OS.write(reinterpret_cast<const char *>(B.Reads.data()),
               B.Reads.size() * sizeof(SeenRead));
    }
  });
}

/// Takes a T from the front of \p Text; false where it ends before.
template <typename T> static bool take(StringRef &Text, T &Out) {
  if (Text.size() < sizeof(T))
    return false;
  std::memcpy(&Out, Text.data(), sizeof(T));
  Text = Text.drop_front(sizeof(T));
  return true;
}

static bool takeBlock(StringRef &Text, SeenBlock &Out) {
  BlockHeader Header;
  if (!take(Text, Header) || Text.size() / sizeof(SeenRead) < Header.NumReads)
    return false;
  Out.Number = Header.Number;
  Out.IsCut = Header.IsCut != 0;
  Out.Reads.resize(Header.NumReads);
  const size_t Bytes = Header.NumReads * sizeof(SeenRead);
  if (Bytes != 0)
    std::memcpy(Out.Reads.data(), Text.data(), Bytes);
  Text = Text.drop_front(Bytes);
  return true;
}

static bool takeVariable(StringRef &Text, VariableAddresses &Out) {
  VariableHeader Header;
  if (!take(Text, Header) || Text.size() < Header.NameBytes)
    return false;
  Out[Text.take_front(Header.NameBytes).str()] = Header.Address;
  Text = Text.drop_front(Header.NameBytes);
  return true;
}

Expected<SeenReads> SeenReads::load(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  StringRef Text = (*Buffer)->getBuffer();
  auto Broken = [&] {
    return createStringError("'" + Path + "' holds no reads of a launch");
  };
  FileHeader Header;
  if (!take(Text, Header) ||
      std::memcmp(Header.Mark, Magic, sizeof(Magic)) != 0)
    return Broken();
  VariableAddresses Variables;
  for (uint64_t I = 0; I != Header.NumVariables; ++I)
    if (!takeVariable(Text, Variables))
      return Broken();
  std::vector<SeenBlock> Blocks;
  for (uint64_t I = 0; I != Header.NumBlocks; ++I)
    if (!takeBlock(Text, Blocks.emplace_back()))
      return Broken();
  SeenReads Reads({Header.Grid[0], Header.Grid[1], Header.Grid[2]},
                  {Header.Block[0], Header.Block[1], Header.Block[2]},
                  std::move(Blocks));
  Reads.Variables = std::move(Variables);
  return Reads;
}

SeenReads::Key SeenReads::keyOf(uint32_t BlockIdx, uint32_t Rank,
                                uint64_t Address, unsigned Bytes) {
  // A block has 1024 threads at most; a word of 4 bytes and a part of it are
  // different reads.
  return {Address, BlockIdx << 12 | (Rank & 1023) << 2 | (Bytes & 3)};
}

SeenReads::SeenReads(Dim3 Grid, Dim3 Block, std::vector<SeenBlock> Blocks)
    : Grid(Grid), Block(Block) {
  llvm::sort(Blocks, [](const SeenBlock &A, const SeenBlock &B) {
    return A.Number < B.Number;
  });
  for (const SeenBlock &B : Blocks) {
    for (const SeenRead &R : B.Reads)
      add(R, uint32_t(Numbers.size()));
    Numbers.push_back(B.Number);
    IsCut |= B.IsCut;
  }
}

void SeenReads::add(const SeenRead &R, uint32_t BlockIdx) {
  constexpr unsigned WordBytes = 4;
  for (unsigned At = 0; At < std::min<unsigned>(R.Bytes, 8); At += WordBytes) {
    const unsigned Bytes = std::min(WordBytes, R.Bytes - At);
    Values &V = Words[keyOf(BlockIdx, R.Rank, R.Address + At, Bytes)];
    if (!V.InOrder.empty()) {
      const uint32_t Before = V.InOrder.back();
      V.InOrder.insert(V.InOrder.end(), std::min(V.Repeated, MostRepeated),
                       Before);
    }
    V.InOrder.push_back(uint32_t(R.Bits >> (8 * At)));
    V.Repeated = R.Times - 1;
  }
}

ArrayRef<uint32_t> SeenReads::find(uint64_t Number, uint32_t Rank,
                                   uint64_t Address, unsigned Bytes) const {
  auto At = llvm::lower_bound(Numbers, Number);
  if (At == Numbers.end() || *At != Number)
    return {};
  auto Found =
      Words.find(keyOf(uint32_t(At - Numbers.begin()), Rank, Address, Bytes));
  if (Found == Words.end())
    return {};
  return Found->second.InOrder;
}
