//===- Cluster.cpp - Microkernels of blocks in a cluster ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

using namespace llvm;

namespace gpuocc::calibration {

static std::string num(uint64_t N) { return std::to_string(N); }

/// No block may leave while another one reads its shared memory.
static constexpr const char *ClusterBarrier =
    "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";

TimedKernel clusterChase(unsigned Blocks, unsigned Unroll) {
  TimedKernel K;
  K.Name = "cluster_chase" + num(Blocks);
  K.ClusterBlocks = Blocks;
  K.Declarations = "  .reg .b64 %a, %own, %self, %acc;\n"
                   "  .reg .b32 %rank, %of, %to;\n"
                   "  .shared .align 16 .b8 tile[8192];\n";
  // Generic addresses: those of the shared window would be widened before each
  // load.
  K.Prologue = std::string(R"(
  mov.u64 %own, tile;
  cvta.shared.u64 %own, %own;
  mul.wide.u32 %acc, %ktid, 8;
  add.u64 %own, %own, %acc;
  mov.u32 %rank, %cluster_ctarank;
  mov.u32 %of, %cluster_nctarank;
  mapa.u64 %self, %own, %rank;
  st.u64 [%own], %self;
  cvt.u32.u64 %to, %kx;
  add.u32 %to, %to, %rank;
  rem.u32 %to, %to, %of;
  mapa.u64 %a, %own, %to;
)") + ClusterBarrier;
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += "  ld.u64 %a, [%a];\n";
  K.Epilogue = std::string("  mov.u64 %ksink, %a;\n") + ClusterBarrier;
  K.Claim = {"LD.E.64", double(Unroll)};
  return K;
}

TimedKernel clusterLoads(unsigned Blocks, unsigned Loads) {
  TimedKernel K;
  K.Name = "cluster_loads" + num(Blocks);
  K.ClusterBlocks = Blocks;
  K.Declarations = "  .reg .b64 %a, %own, %acc;\n"
                   "  .reg .b32 %rank, %of, %to, %sum, %r<" +
                   num(4 * Loads) +
                   ">;\n"
                   "  .shared .align 16 .b8 tile[32768];\n";
  K.Prologue = std::string(R"(
  mov.u64 %own, tile;
  cvta.shared.u64 %own, %own;
  mul.wide.u32 %acc, %ktid, 16;
  add.u64 %own, %own, %acc;
  mov.u32 %rank, %cluster_ctarank;
  mov.u32 %of, %cluster_nctarank;
  cvt.u32.u64 %to, %kx;
  add.u32 %to, %to, %rank;
  rem.u32 %to, %to, %of;
  mapa.u64 %a, %own, %to;
  st.v4.u32 [%own], {%ktid, %ktid, %ktid, %ktid};
  st.v4.u32 [%own+16384], {%ktid, %ktid, %ktid, %ktid};
  mov.u32 %sum, 0;
)") + ClusterBarrier;
  for (unsigned I = 0; I < Loads; ++I)
    K.Body += "  ld.volatile.v4.u32 {%r" + num(4 * I) + ", %r" +
              num(4 * I + 1) + ", %r" + num(4 * I + 2) + ", %r" +
              num(4 * I + 3) + "}, [%a+" + num(I % 2 * 16384) + "];\n";
  for (unsigned I = 0; I < 4 * Loads; ++I)
    K.Body += "  xor.b32 %sum, %sum, %r" + num(I) + ";\n";
  K.Epilogue = std::string("  cvt.u64.u32 %ksink, %sum;\n") + ClusterBarrier;
  K.Claim = {"LD.E.128.STRONG.SYS", double(Loads)};
  return K;
}

/// Waits for the phase %phase of the barrier at %r\p Barrier. A copy that never
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

static std::string copyBehind(unsigned Barrier, unsigned Bytes) {
  std::string Text = R"(
  mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%b#], BYTES;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t#], [%a], BYTES, [%b#];
  add.u64 %off, %off, %step;
  and.b64 %off, %off, %kz;
  add.u64 %a, %kx, %off;
)";
  return replaceAll(replaceAll(Text, "BYTES", num(Bytes)), "#", num(Barrier));
}

/// Barriers, tiles and the first address for \p Stages copies in flight.
static void prepareBulk(TimedKernel &K, unsigned Bytes, unsigned Stages) {
  K.MaxThreads = 32;
  std::string S = num(Stages);
  K.Declarations = "  .reg .b64 %a, %off, %step, %state;\n  .reg .b32 %b<" + S +
                   ">, %t<" + S +
                   ">, %phase, %tries;\n  .reg .pred %q, %full;\n";
  K.ModuleScope = ".extern .shared .align 128 .b8 tiles_NAME[];\n";
  K.Declarations += "  .shared .align 8 .b64 bars[" + S + "];\n";
  // Lane 0 alone goes on; blocks are of whole warps, as records are.
  K.Prologue = R"(
  setp.ne.u32 %q, %klane, 0;
  @%q exit;
  mov.u32 %t0, tiles_NAME;
  mov.u32 %b0, bars;
  mov.u32 %phase, 0;
  mul.wide.u32 %off, %kcta, 1;
  mul.lo.u64 %off, %off, %ky;
  mul.wide.u32 %step, %kncta, 1;
  mul.lo.u64 %step, %step, %ky;
  and.b64 %off, %off, %kz;
  add.u64 %a, %kx, %off;
)";
  for (unsigned I = 0; I < Stages; ++I) {
    if (I > 0)
      K.Prologue += "  add.u32 %b" + num(I) + ", %b0, " + num(8 * I) +
                    ";\n  add.u32 %t" + num(I) + ", %t0, " + num(Bytes * I) +
                    ";\n";
    K.Prologue += "  mbarrier.init.shared::cta.b64 [%b" + num(I) + "], 1;\n";
  }
  K.Prologue += "  fence.mbarrier_init.release.cluster;\n";
  K.Epilogue = "  mov.u64 %ksink, %a;\n";
}

TimedKernel bulkCopy(unsigned Bytes) {
  TimedKernel K;
  K.Name = "bulk_copy" + num(Bytes);
  prepareBulk(K, Bytes, 1);
  K.Body = copyBehind(0, Bytes) + waitFor(0, "WAIT_" + K.Name) +
           "  xor.b32 %phase, %phase, 1;\n";
  K.Claim = {"UBLKCP.S.G", 1, true};
  return K;
}

TimedKernel bulkStream(unsigned Bytes, unsigned Stages) {
  TimedKernel K;
  K.Name = "bulk_stream" + num(Bytes) + "_" + num(Stages);
  prepareBulk(K, Bytes, Stages);
  for (unsigned I = 0; I < Stages; ++I) {
    K.Prologue += copyBehind(I, Bytes);
    K.Body += waitFor(I, "WAIT" + num(I) + "_" + K.Name) + copyBehind(I, Bytes);
  }
  K.Body += "  xor.b32 %phase, %phase, 1;\n";
  // No block may end with copies under way to it.
  std::string Rest;
  for (unsigned I = 0; I < Stages; ++I)
    Rest += waitFor(I, "REST" + num(I) + "_" + K.Name);
  K.Epilogue = Rest + K.Epilogue;
  K.Claim = {"UBLKCP.S.G", 2.0 * Stages, true};
  return K;
}

} // namespace gpuocc::calibration
