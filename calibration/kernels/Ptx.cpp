//===- Ptx.cpp - Text of timed microkernels -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"
#include "Architectures.h"

using namespace llvm;

namespace gpuocc::calibration {

std::string moduleHeader(const PtxTarget &Target) {
  return ".version " + ptxVersion(Target.Architecture).str() + "\n.target sm_" +
         std::to_string(Target.Architecture) +
         (Target.ArchitectureSpecific ? "a" : "") + "\n.address_size 64\n";
}

std::string replaceAll(std::string Text, StringRef From, StringRef To) {
  for (size_t At = Text.find(From.data(), 0, From.size());
       At != std::string::npos;
       At = Text.find(From.data(), At + To.size(), From.size()))
    Text.replace(At, From.size(), To.data(), To.size());
  return Text;
}

static constexpr const char *Opening = R"(
.visible .entry NAME(.param .u64 p_out, .param .u64 p_in, .param .u64 p_iters,
                     .param .u64 p_x, .param .u64 p_y, .param .u64 p_z)
.maxntid MAXTHREADS, 1, 1
BOUNDS
{
  .reg .b64 %kout, %kin, %kx, %ky, %kz, %kt0, %kt1, %kg0, %kg1, %ksink;
  .reg .b64 %kgwarp, %krec, %kiters64, %ksm64;
  .reg .b32 %kiters, %ktid, %kntid, %kcta, %kncta, %klane, %kwarp, %ksm, %knw;
  .reg .pred %kploop, %kplead;
DECLARATIONS
  ld.param.u64 %kout, [p_out];
  ld.param.u64 %kin, [p_in];
  ld.param.u64 %kiters64, [p_iters];
  ld.param.u64 %kx, [p_x];
  ld.param.u64 %ky, [p_y];
  ld.param.u64 %kz, [p_z];
  cvt.u32.u64 %kiters, %kiters64;
  mov.u32 %ktid, %tid.x;
  mov.u32 %kntid, %ntid.x;
  mov.u32 %kcta, %ctaid.x;
  mov.u32 %kncta, %nctaid.x;
  and.b32 %klane, %ktid, 31;
  shr.u32 %kwarp, %ktid, 5;
  shr.u32 %knw, %kntid, 5;
  mad.lo.u32 %knw, %kcta, %knw, %kwarp;
  cvt.u64.u32 %kgwarp, %knw;
PROLOGUE
  bar.sync 0;
  mov.u64 %kg0, %globaltimer;
  mov.u64 %kt0, %clock64;
)";

static constexpr const char *Loop = R"($L_NAME:
  .pragma "nounroll";
BODY
  sub.s32 %kiters, %kiters, STEP;
  setp.gt.s32 %kploop, %kiters, 0;
  @%kploop bra $L_NAME;
)";

static constexpr const char *Closing = R"(  mov.u64 %kt1, %clock64;
  mov.u64 %kg1, %globaltimer;
EPILOGUE
  mov.u32 %ksm, %smid;
  cvt.u64.u32 %ksm64, %ksm;
  mad.lo.u64 %krec, %kgwarp, RECORDBYTES, %kout;
  setp.eq.u32 %kplead, %klane, 0;
  @%kplead st.global.v2.u64 [%krec], {%kt0, %kt1};
  @%kplead st.global.v2.u64 [%krec+16], {%kg0, %kg1};
  @%kplead st.global.v2.u64 [%krec+32], {%ksm64, %ksink};
  ret;
}
)";

std::string timedKernel(const TimedKernel &K) {
  std::string Text = K.ModuleScope + Opening;
  Text += K.Body.empty() ? "" : Loop;
  Text += Closing;
  std::string Bounds =
      K.MinBlocks ? ".minnctapersm " + std::to_string(K.MinBlocks) : "";
  if (K.ClusterBlocks)
    Bounds += "\n.explicitcluster\n.reqnctapercluster " +
              std::to_string(K.ClusterBlocks) + ", 1, 1";
  Text = replaceAll(Text, "MAXTHREADS", std::to_string(K.MaxThreads));
  Text = replaceAll(Text, "RECORDBYTES", std::to_string(RecordWords * 8));
  Text = replaceAll(Text, "BOUNDS", Bounds);
  Text = replaceAll(Text, "DECLARATIONS", K.Declarations);
  Text = replaceAll(Text, "PROLOGUE", K.Prologue);
  Text = replaceAll(Text, "EPILOGUE", K.Epilogue);
  Text = replaceAll(Text, "BODY", K.Body);
  Text = replaceAll(Text, "STEP", std::to_string(K.LoopStep));
  return replaceAll(Text, "NAME", K.Name);
}

} // namespace gpuocc::calibration
