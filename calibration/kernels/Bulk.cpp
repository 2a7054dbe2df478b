//===- Bulk.cpp - Microkernels of bulk copies -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bulk.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuocc::calibration {

static std::string num(uint64_t N) { return std::to_string(N); }

/// No memory has to be ordered: copies are waited for by their own barriers.
static constexpr const char *ClusterBarrier =
    "  barrier.cluster.arrive.relaxed;\n  barrier.cluster.wait;\n";

std::string tileName(const BulkTile &Tile) {
  if (Tile.Rank == 0)
    return "bytes" + num(Tile.Bytes);
  return "tensor" + num(Tile.Rank) + "d" + (Tile.Wide ? "wide" : "") +
         num(Tile.Bytes);
}

/// Waits for the phase %phase of the barrier \p Barrier. A copy that never
/// arrives is an error and not a kernel that never ends.
static std::string waitFor(unsigned Barrier, const std::string &Label) {
  std::string Text = R"(  mov.u32 %tries, 0;
$LABEL:
  mbarrier.try_wait.parity.shared::cta.b64 %q, [%b#], %phase;
  @%q bra $LABEL_DONE;
  add.u32 %tries, %tries, 1;
  setp.gt.u32 %full, %tries, 1000000;
  @%full trap;
  bra $LABEL;
$LABEL_DONE:
)";
  return replaceAll(replaceAll(Text, "LABEL", Label), "#", num(Barrier));
}

/// Where the copy at byte %off of the buffer begins: an address, or the
/// coordinates of a tile.
static std::string findSource(const BulkTile &Tile) {
  if (Tile.Rank == 0)
    return "  add.u64 %a, %kx, %off;\n";
  if (!Tile.Wide) {
    unsigned Step = Tile.Rank == 1 ? TensorElementBytes : TileRowBytes;
    return "  shr.u64 %a, %off, " + num(Log2_32(Step)) +
           ";\n  cvt.u32.u64 %outer, %a;\n";
  }
  unsigned TilesOfRow = WidePitchBytes / TileRowBytes;
  return "  shr.u64 %a, %off, " + num(Log2_32(Tile.Bytes)) +
         ";\n  cvt.u32.u64 %inner, %a;\n  shr.u32 %outer, %inner, " +
         num(Log2_32(TilesOfRow)) + ";\n  mul.lo.u32 %outer, %outer, " +
         num(Tile.Bytes / TileRowBytes) + ";\n  and.b32 %inner, %inner, " +
         num(TilesOfRow - 1) + ";\n  mul.lo.u32 %inner, %inner, " +
         num(TileRowBytes / TensorElementBytes) + ";\n";
}

/// The source operand of a copy.
static std::string source(const BulkTile &Tile) {
  if (Tile.Rank == 0)
    return "[%a], " + num(Tile.Bytes);
  std::string Coordinates = Tile.Rank > 1 ? "%inner, " : "";
  for (unsigned Dimension = 2; Dimension < Tile.Rank; ++Dimension)
    Coordinates += "%zero, ";
  return "[%map, {" + Coordinates + "%outer}]";
}

/// Expects \p Expected bytes at barrier \p Stage.
static std::string expect(unsigned Stage, unsigned Expected) {
  return "  mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%b" +
         num(Stage) + "], " + num(Expected) + ";\n";
}

/// Begins a copy to the tile and the barrier of \p Stage, in all blocks of a
/// cluster where \p Multicast, and steps to the next.
static std::string copy(const BulkTile &Tile, unsigned Stage, bool Multicast) {
  std::string Text = "  cp.async.bulk";
  if (Tile.Rank > 0)
    Text += ".tensor." + num(Tile.Rank) + "d";
  Text += ".shared::cluster.global.mbarrier::complete_tx::bytes";
  if (Multicast)
    Text += ".multicast::cluster";
  Text += " [%t" + num(Stage) + "], " + source(Tile) + ", [%b" + num(Stage) +
          "]" + (Multicast ? ", %mask" : "") + ";\n";
  return Text + "  add.u64 %off, %off, %step;\n  and.b64 %off, %off, %kz;\n" +
         findSource(Tile);
}

static std::string copyBehind(const BulkTile &Tile, unsigned Stage) {
  return expect(Stage, Tile.Bytes) + copy(Tile, Stage, false);
}

static std::string initializeBarriers(unsigned Stages, unsigned StageBytes) {
  std::string Text;
  for (unsigned I = 0; I < Stages; ++I) {
    if (I > 0)
      Text += "  add.u32 %b" + num(I) + ", %b0, " + num(8 * I) +
              ";\n  add.u32 %t" + num(I) + ", %t0, " + num(StageBytes * I) +
              ";\n";
    Text += "  mbarrier.init.shared::cta.b64 [%b" + num(I) + "], 1;\n";
  }
  return Text + "  fence.mbarrier_init.release.cluster;\n";
}

/// Barriers, tiles and the first address for \p Stages copies in flight.
/// Blocks, or clusters of \p Blocks, take turns.
static TimedKernel bulkKernel(const std::string &Name, const BulkTile &Tile,
                              unsigned Stages, unsigned Blocks = 1) {
  TimedKernel K;
  K.Name = Name;
  K.MaxThreads = 32;
  K.ClusterBlocks = Blocks > 1 ? Blocks : 0;
  std::string S = num(Stages);
  K.Declarations = "  .reg .b64 %a, %off, %step, %state, %map;\n"
                   "  .reg .b32 %b<" +
                   S + ">, %t<" + S +
                   ">, %phase, %tries, %inner, %outer, %zero, %rank;\n"
                   "  .reg .b16 %mask;\n  .reg .pred %q, %full;\n"
                   "  .shared .align 8 .b64 bars[" +
                   S + "];\n";
  K.ModuleScope = ".extern .shared .align 128 .b8 tiles_NAME[];\n";
  // Lane 0 alone goes on; blocks are of whole warps, as records are.
  K.Prologue = R"(
  setp.ne.u32 %q, %klane, 0;
  @%q exit;
  mov.u32 %t0, tiles_NAME;
  mov.u32 %b0, bars;
  mov.u32 %phase, 0;
  mov.u32 %inner, 0;
  mov.u32 %zero, 0;
)";
  if (Tile.Rank > 0) {
    K.ModuleScope += std::string(".const .align 64 .b8 ") + TensorMapVariable +
                     "[" + num(TensorMapBytes) + "];\n";
    K.Prologue += std::string("  mov.u64 %map, ") + TensorMapVariable +
                  ";\n  cvta.const.u64 %map, %map;\n";
  }
  // The blocks of a cluster copy what lies side by side.
  K.Prologue += R"(
  mul.wide.u32 %off, %kcta, 1;
  mul.lo.u64 %off, %off, %ky;
  mul.wide.u32 %step, %kncta, 1;
  mul.lo.u64 %step, %step, %ky;
  and.b64 %off, %off, %kz;
)";
  K.Prologue += findSource(Tile);
  if (Blocks > 1)
    K.Prologue += "  mov.u32 %rank, %cluster_ctarank;\n  mov.u16 %mask, " +
                  num((1u << Blocks) - 1) + ";\n";
  K.Prologue += initializeBarriers(Stages, Tile.Bytes * Blocks);
  // No copy may arrive before the barriers of all blocks are there.
  if (Blocks > 1)
    K.Prologue += ClusterBarrier;
  K.Epilogue = "  mov.u64 %ksink, %off;\n";
  return K;
}

static std::string label(const char *What, unsigned Stage,
                         const TimedKernel &K) {
  return What + num(Stage) + "_" + K.Name;
}

static constexpr const char *NextPhase = "  xor.b32 %phase, %phase, 1;\n";

/// The opcode of a copy.
static std::string opcode(const BulkTile &Tile, bool Multicast) {
  std::string Name =
      Tile.Rank ? "UTMALDG." + num(Tile.Rank) + "D" : "UBLKCP.S.G";
  return Name + (Multicast ? ".MULTICAST" : "");
}

TimedKernel bulkCopy(const BulkTile &Tile) {
  TimedKernel K = bulkKernel("bulk_copy_" + tileName(Tile), Tile, 1);
  K.Body = copyBehind(Tile, 0) + waitFor(0, label("WAIT", 0, K)) + NextPhase;
  K.Claim = {opcode(Tile, false), 1, true};
  return K;
}

TimedKernel bulkStream(const BulkTile &Tile, unsigned Stages) {
  TimedKernel K = bulkKernel(
      "bulk_stream_" + tileName(Tile) + "_" + num(Stages), Tile, Stages);
  // No block may end with copies under way to it.
  std::string Rest;
  for (unsigned I = 0; I < Stages; ++I) {
    K.Prologue += copyBehind(Tile, I);
    K.Body += waitFor(I, label("WAIT", I, K)) + copyBehind(Tile, I);
    Rest += waitFor(I, label("REST", I, K));
  }
  K.Body += NextPhase;
  K.Epilogue = Rest + K.Epilogue;
  K.Claim = {opcode(Tile, false), 2.0 * Stages, true};
  return K;
}

TimedKernel bulkWrites(unsigned Bytes, unsigned Stages, bool Reduces) {
  const BulkTile Tile{Bytes};
  TimedKernel K = bulkKernel((Reduces ? "bulk_reductions_" : "bulk_stores_") +
                                 tileName(Tile) + "_" + num(Stages),
                             Tile, Stages);
  const std::string Mnemonic =
      Reduces ? "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"
              : "cp.async.bulk.global.shared::cta.bulk_group";
  for (unsigned I = 0; I < Stages; ++I)
    K.Body += "  " + Mnemonic + " [%a], [%t" + num(I) + "], " + num(Bytes) +
              ";\n  cp.async.bulk.commit_group;\n"
              "  add.u64 %off, %off, %step;\n  and.b64 %off, %off, %kz;\n" +
              findSource(Tile) + "  cp.async.bulk.wait_group " +
              num(Stages - 1) + ";\n";
  K.Epilogue = "  cp.async.bulk.wait_group 0;\n" + K.Epilogue;
  K.Claim = {Reduces ? "UBLKRED" : "UBLKCP", double(Stages), true};
  return K;
}

TimedKernel multicastCopy(const BulkTile &Tile, unsigned Blocks) {
  std::string Name = "multicast_copy_" + tileName(Tile) + "_" + num(Blocks);
  TimedKernel K = bulkKernel(Name, Tile, 1, Blocks);
  std::string Skip = "$" + label("SKIP", 0, K);
  K.Body = expect(0, Tile.Bytes) + "  setp.ne.u32 %q, %rank, 0;\n  @%q bra " +
           Skip + ";\n" + copy(Tile, 0, true) + Skip + ":\n" +
           waitFor(0, label("WAIT", 0, K)) + NextPhase + ClusterBarrier;
  K.Claim = {opcode(Tile, true), 1, true};
  return K;
}

TimedKernel multicastStream(const BulkTile &Tile, unsigned Blocks,
                            unsigned Stages) {
  std::string Name = "multicast_stream_" + tileName(Tile) + "_" + num(Blocks) +
                     "_" + num(Stages);
  TimedKernel K = bulkKernel(Name, Tile, Stages, Blocks);
  // Each block fills its part of a stage, in all blocks.
  K.Prologue += "  mad.lo.u32 %t0, %rank, " + num(Tile.Bytes) + ", %t0;\n";
  for (unsigned I = 1; I < Stages; ++I)
    K.Prologue += "  add.u32 %t" + num(I) + ", %t0, " +
                  num(Tile.Bytes * Blocks * I) + ";\n";
  std::string Rest;
  for (unsigned I = 0; I < Stages; ++I) {
    K.Prologue += expect(I, Tile.Bytes * Blocks) + copy(Tile, I, true);
    Rest += waitFor(I, label("REST", I, K));
  }
  for (unsigned Half : {0u, 1u}) {
    unsigned Begin = Half * Stages / 2, End = (Half + 1) * Stages / 2;
    for (unsigned I = Begin; I < End; ++I)
      K.Body += waitFor(I, label("WAIT", I, K));
    K.Body += ClusterBarrier;
    for (unsigned I = Begin; I < End; ++I)
      K.Body += expect(I, Tile.Bytes * Blocks) + copy(Tile, I, true);
  }
  K.Body += NextPhase;
  // No block may end while another one copies to it.
  K.Epilogue = Rest + ClusterBarrier + K.Epilogue;
  K.Claim = {opcode(Tile, true), 2.0 * Stages, true};
  return K;
}

} // namespace gpuocc::calibration
