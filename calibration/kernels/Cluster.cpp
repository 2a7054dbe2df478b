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

/// Steps from address to address through words that hold their own.
static TimedKernel chain(const std::string &Name, unsigned Blocks,
                         unsigned Unroll, const char *Step,
                         const char *Opcode) {
  TimedKernel K;
  K.Name = Name + num(Blocks);
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
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body += Step;
  K.Epilogue = std::string("  mov.u64 %ksink, %a;\n") + ClusterBarrier;
  K.Claim = {Opcode, double(Unroll)};
  return K;
}

TimedKernel clusterChase(unsigned Blocks, unsigned Unroll) {
  return chain("cluster_chase", Blocks, Unroll, "  ld.u64 %a, [%a];\n",
               "LD.E.64");
}

TimedKernel clusterExchanges(unsigned Blocks, unsigned Unroll) {
  return chain("cluster_exchanges", Blocks, Unroll,
               "  atom.exch.b64 %a, [%a], %a;\n", "ATOM.E.EXCH.64.STRONG.GPU");
}

TimedKernel clusterAccesses(ClusterAccess Kind, unsigned Blocks,
                            unsigned Unroll) {
  struct Row {
    const char *Name, *Step, *Opcode;
  };
  static constexpr Row Rows[NumClusterAccesses] = {
      {"loads", "  ld.volatile.u32 %d<I>, [%a+AT];\n", "LD.E.STRONG.SYS"},
      {"stores", "  st.volatile.u32 [%a+AT], %klane;\n", "ST.E.STRONG.SYS"},
      {"reductions", "  red.add.u32 [%a+AT], %klane;\n",
       "ATOM.E.ADD.STRONG.GPU"},
      {"atomics", "  atom.add.u32 %d<I>, [%a+AT], %klane;\n",
       "ATOM.E.ADD.STRONG.GPU"},
  };
  const Row &R = Rows[unsigned(Kind)];
  TimedKernel K;
  K.Name = std::string("cluster_word_") + R.Name + num(Blocks);
  K.ClusterBlocks = Blocks;
  K.Declarations = "  .reg .b64 %a, %off, %own, %acc;\n"
                   "  .reg .b32 %rank, %of, %to, %s, %d<" +
                   num(Unroll) +
                   ">;\n"
                   "  .shared .align 128 .b8 tile[37248];\n";
  K.Prologue = std::string(R"(
  mul.wide.u32 %acc, %klane, 8;
  add.u64 %acc, %acc, %kin;
  ld.global.u64 %off, [%acc];
  mov.u64 %own, tile;
  cvta.shared.u64 %own, %own;
  mul.wide.u32 %acc, %kwarp, 1152;
  add.u64 %own, %own, %acc;
  and.b64 %acc, %off, 65535;
  add.u64 %own, %own, %acc;
  shr.u64 %off, %off, 32;
  cvt.u32.u64 %to, %off;
  mov.u32 %rank, %cluster_ctarank;
  mov.u32 %of, %cluster_nctarank;
  add.u32 %to, %to, %rank;
  rem.u32 %to, %to, %of;
  mapa.u64 %a, %own, %to;
  mov.u32 %s, %klane;
)") + ClusterBarrier;
  for (unsigned I = 0; I < Unroll; ++I)
    K.Body +=
        replaceAll(replaceAll(R.Step, "AT", num(I % 4 * 128)), "<I>", num(I));
  if (Kind == ClusterAccess::Load || Kind == ClusterAccess::Atomic)
    for (unsigned I = 0; I < Unroll; ++I)
      K.Body += "  xor.b32 %s, %s, %d" + num(I) + ";\n";
  K.Epilogue = std::string("  cvt.u64.u32 %ksink, %s;\n") + ClusterBarrier;
  K.Claim = {R.Opcode, double(Unroll)};
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

TimedKernel clusterBarriers(unsigned Blocks, bool Fenced, unsigned Unroll) {
  TimedKernel K;
  K.Name =
      (Fenced ? "cluster_barriers" : "relaxed_cluster_barriers") + num(Blocks);
  K.ClusterBlocks = Blocks;
  for (unsigned Step = 0; Step < Unroll; ++Step)
    K.Body += Fenced ? ClusterBarrier
                     : "  barrier.cluster.arrive.relaxed;\n"
                       "  barrier.cluster.wait;\n";
  K.Epilogue = "  mov.u64 %ksink, 0;\n";
  K.Claim = {"UCGABAR_ARV|UCGABAR_WAIT", 2.0 * Unroll};
  return K;
}

} // namespace gpuocc::calibration
