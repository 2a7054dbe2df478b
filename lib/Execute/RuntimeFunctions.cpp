//===- RuntimeFunctions.cpp - What generated code calls -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunctions.h"
#include "BlockRun.h"
#include "DevicePrint.h"
#include "DirectedRounding.h"
#include "LoopTurns.h"
#include "Matrix.h"
#include "MemoryBarrier.h"
#include "ReadSample.h"
#include "Textures.h"
#include "WarpPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

static uint64_t meet(ThreadState *Thread, uint32_t Operation, uint32_t Site,
                     uint32_t Mask, uint64_t Value, uint32_t Source,
                     uint32_t Clamp) {
  // Field by field: a copy of the whole would wait for the stores of its parts.
  WarpRequest &R = BlockRun::requestOf(*Thread);
  R.Operation = WarpOperation(Operation);
  R.Mask = Mask;
  R.Value = Value;
  R.Source = Source;
  R.Clamp = Clamp;
  R.Site = Site;
  R.Answer = 0;
  return Thread->Block->Run->meet(*Thread);
}

static uint32_t barrier(ThreadState *Thread, uint32_t Form, uint32_t Id,
                        uint32_t Count, uint32_t Predicate) {
  return Thread->Block->Run->barrier(*Thread, BarrierForm(Form), Id, Count,
                                     Predicate != 0);
}

static void yield(ThreadState *Thread) { Thread->Block->Run->yield(*Thread); }

static void takeTurn(ThreadState *Thread) {
  Thread->Block->Run->takeTurn(*Thread, /*OfGrid=*/true);
}

static void takeTurnInBlock(ThreadState *Thread) {
  Thread->Block->Run->takeTurn(*Thread, /*OfGrid=*/false);
}

static void exitThread(ThreadState *Thread) {
  Thread->Block->Run->exit(*Thread);
}

static void trap(ThreadState *Thread) {
  if (BlockRun *Run = Thread->Block->Run)
    Run->fail(*Thread);
  std::longjmp(*Thread->Block->Failed, 1);
}

/// As CUDA prints it.
static void failAssertion(ThreadState *Thread, const char *What,
                          const char *File, uint32_t Line,
                          const char *Function) {
  const uint32_t *Block = Thread->Block->Index;
  std::fprintf(stderr,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion "
               "`%s` failed.\n",
               File, Line, Function, Block[0], Block[1], Block[2],
               Thread->Index[0], Thread->Index[1], Thread->Index[2], What);
  *Thread->Block->AssertionFailed = true;
  trap(Thread);
}

static void arriveAtCluster(ThreadState *Thread) {
  if (ClusterState *C = Thread->Block->Cluster) {
    Thread->ClusterPhase = C->Phase;
    ++C->Arrived;
    C->endPhaseIfComplete();
  }
}

static void waitForCluster(ThreadState *Thread) {
  const ClusterState *C = Thread->Block->Cluster;
  if (!C) {
    // The block is the cluster; code has no other use for the last barrier.
    Thread->Block->Run->barrier(*Thread, BarrierForm::Sync, 15, 0, false);
    return;
  }
  while (C->Phase == Thread->ClusterPhase)
    Thread->Block->Run->waitForOthers(*Thread);
}

static uint64_t mapShared(ThreadState *Thread, uint64_t Address,
                          uint32_t Rank) {
  const BlockState &Own = *Thread->Block;
  if (!Own.Cluster)
    return Address;
  const BlockState &Other = *Own.Cluster->Blocks[Rank % Own.ClusterBlocks];
  return Address - uintptr_t(Own.Shared) + uintptr_t(Other.Shared);
}

static uint32_t rankOfShared(ThreadState *Thread, uint64_t Address) {
  const BlockState &Own = *Thread->Block;
  for (uint32_t Rank = 0; Own.Cluster && Rank != Own.ClusterBlocks; ++Rank)
    if (Address - uintptr_t(Own.Cluster->Blocks[Rank]->Shared) <
        Own.SharedBytes)
      return Rank;
  return Own.ClusterRank;
}

static uint64_t memoryBarrier(ThreadState *Thread, uint64_t *Object,
                              uint32_t Step, uint64_t Operand, int32_t Bytes) {
  uint64_t None = 0;
  const auto What = BarrierStep(Step);
  const uint64_t Answer =
      stepMemoryBarrier(Object ? *Object : None, What, Operand, Bytes);
  if (Answer == 0 &&
      (What == BarrierStep::Test || What == BarrierStep::TestParity))
    Thread->Block->Run->yield(*Thread);
  return Answer;
}

static void saw(ThreadState *Thread, uint64_t Address, uint64_t Bits,
                uint32_t Bytes) {
  BlockState &Block = *Thread->Block;
  if (!Block.Seen)
    return;
  const SeenRead Read = {Address, Bits, uint16_t(Thread->Rank),
                         uint16_t(Bytes)};
  // A block that was left out while it runs no longer asks.
  if (!Block.Sample->add(*Block.Seen, Read))
    Block.Seen = nullptr;
}

static void leftLoop(ThreadState *Thread, uint32_t Loop, uint64_t Turns,
                     uint32_t Key) {
  if (BlockTurns *Of = Thread->Block->Turns)
    Of->leave(Thread->Rank, Loop, Turns, Key);
}

static void isAt(ThreadState *Thread, uint32_t Block, uint32_t Access,
                 uint64_t Address) {
  const BlockState &Of = *Thread->Block;
  if (!Of.Paths)
    return;
  const bool IsShared = Address - uintptr_t(Of.Shared) < Of.SharedBytes;
  Of.Paths->add(Thread->Rank, {Block, Access, IsShared ? 0 : Address});
}

/// Nanoseconds; a clock of 1 GHz.
static uint64_t timer() {
  return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

static uint32_t permuteBytes(uint32_t Low, uint32_t High, uint32_t Selector) {
  const uint64_t Bytes = uint64_t(High) << 32 | Low;
  uint32_t Result = 0;
  for (unsigned I = 0; I != 4; ++I) {
    const uint32_t Select = Selector >> (4 * I) & 15;
    uint32_t Byte = uint32_t(Bytes >> (8 * (Select & 7)) & 255);
    // The sign of the byte in each of its bits.
    if (Select & 8)
      Byte = Byte & 128 ? 255 : 0;
    Result |= Byte << (8 * I);
  }
  return Result;
}

/// The place of the \p Offset-th set bit of \p Mask from \p Base on; PTX's fns.
static uint32_t findSetBit(uint32_t Mask, uint32_t Base, int32_t Offset) {
  if (Offset == 0)
    return Mask >> (Base & 31) & 1 ? Base : ~0u;
  const int Step = Offset > 0 ? 1 : -1;
  int Left = Offset > 0 ? Offset : -Offset;
  for (int Place = int(Base); Place >= 0 && Place < 32; Place += Step)
    if (Mask >> Place & 1 && --Left == 0)
      return uint32_t(Place);
  return ~0u;
}

static void loadMatrix(ThreadState *Thread, const MatrixForm *Form,
                       uint32_t Part, const void *From, uint32_t Stride,
                       uint32_t IsColumns, void *Registers) {
  loadMatrixPart(*Form, MatrixPart(Part), Thread->Rank % WarpLanes, From,
                 Stride, IsColumns != 0, Registers);
}

static void storeMatrix(ThreadState *Thread, const MatrixForm *Form,
                        const void *Registers, uint32_t Stride,
                        uint32_t IsColumns, void *To) {
  storeMatrixPart(*Form, Thread->Rank % WarpLanes, Registers, Stride,
                  IsColumns != 0, To);
}

/// Texture and surface objects are addresses.
static const TextureObject &objectOf(uint64_t Number) {
  return *reinterpret_cast<const TextureObject *>(Number);
}

static void texture(uint64_t Object, uint32_t Dimensions, uint32_t IsLayered,
                    uint32_t IsInteger, uint32_t AsFloat, const void *At,
                    uint32_t *Out) {
  float Real[3];
  int32_t Integer[3];
  std::memcpy(Real, At, sizeof(Real));
  std::memcpy(Integer, At, sizeof(Integer));
  readTexture(objectOf(Object), {Dimensions, IsLayered != 0, IsInteger != 0},
              AsFloat != 0, Real, Integer, Out);
}

/// What a surface lacks is read as zeros.
static uint32_t loadSurface(uint64_t Object, const int32_t *At, void *Out,
                            uint32_t Bytes) {
  std::memset(Out, 0, Bytes);
  if (const char *Place =
          surfaceElement(objectOf(Object), At[0], At[1], At[2], Bytes))
    std::memcpy(Out, Place, Bytes);
  return 0;
}

static uint32_t storeSurface(uint64_t Object, const int32_t *At,
                             const void *From, uint32_t Bytes) {
  if (char *Place =
          surfaceElement(objectOf(Object), At[0], At[1], At[2], Bytes))
    std::memcpy(Place, From, Bytes);
  return 0;
}

/// \p Value as bfloat16, to nearest even. As compilers' __truncsfbf2, which
/// libraries have since GCC 13: the bits are returned where a number of any
/// kind is, in the low bits of its register.
static float truncateToBFloat(float Value) {
  const auto Bits = bit_cast<uint32_t>(Value);
  constexpr uint32_t QuietBit = 0x40;
  if (std::isnan(Value))
    return bit_cast<float>(Bits >> 16 | QuietBit);
  return bit_cast<float>((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
}

/// The same, rounded once: to odd first, which keeps what is lost.
static float truncateDoubleToBFloat(double Value) {
  const auto Nearest = float(Value);
  if (std::isnan(Value) || double(Nearest) == Value)
    return truncateToBFloat(Nearest);
  const bool IsAbove = std::abs(double(Nearest)) > std::abs(Value);
  return truncateToBFloat(
      bit_cast<float>((bit_cast<uint32_t>(Nearest) - IsAbove) | 1));
}

namespace {

struct FunctionRow {
  StringLiteral Name;
  void *Address;
};

} // namespace

template <typename T> static void *addressOf(T *Function) {
  return reinterpret_cast<void *>(Function);
}

static ArrayRef<FunctionRow> ownFunctions() {
  static const FunctionRow Rows[] = {
      {"gpuoccMeet", addressOf(meet)},
      {"gpuoccBarrier", addressOf(barrier)},
      {"gpuoccYield", addressOf(yield)},
      {"gpuoccTakeTurn", addressOf(takeTurn)},
      {"gpuoccTakeTurnInBlock", addressOf(takeTurnInBlock)},
      {"gpuoccExit", addressOf(exitThread)},
      {"gpuoccTrap", addressOf(trap)},
      {"gpuoccAssert", addressOf(failAssertion)},
      {"gpuoccArriveAtCluster", addressOf(arriveAtCluster)},
      {"gpuoccWaitForCluster", addressOf(waitForCluster)},
      {"gpuoccMapShared", addressOf(mapShared)},
      {"gpuoccRankOfShared", addressOf(rankOfShared)},
      {"gpuoccMemoryBarrier", addressOf(memoryBarrier)},
      {"gpuoccSaw", addressOf(saw)},
      {"gpuoccLeftLoop", addressOf(leftLoop)},
      {"gpuoccIsAt", addressOf(isAt)},
      {"gpuoccClock", addressOf(timer)},
      {"gpuoccTimer", addressOf(timer)},
      {"gpuoccPrint", addressOf(devicePrint)},
      {"gpuoccAllocate", addressOf(std::malloc)},
      {"gpuoccFree", addressOf(std::free)},
      {"gpuoccLoadMatrix", addressOf(loadMatrix)},
      {"gpuoccStoreMatrix", addressOf(storeMatrix)},
      {"gpuoccTexture", addressOf(texture)},
      {"gpuoccLoadSurface", addressOf(loadSurface)},
      {"gpuoccStoreSurface", addressOf(storeSurface)},
      {"gpuocc_prmt", addressOf(permuteBytes)},
      {"gpuocc_fns", addressOf(findSetBit)},
      {"__truncsfbf2", addressOf(truncateToBFloat)},
      {"__truncdfbf2", addressOf(truncateDoubleToBFloat)},
  };
  return Rows;
}

/// What LLVM calls for intrinsics of its own, in the libraries of C and of the
/// compiler.
static constexpr StringLiteral LibraryFunctions[] = {
    "memcpy",       "memmove",       "memset",        "memcmp",
    "sin",          "sinf",          "cos",           "cosf",
    "tan",          "tanf",          "sincos",        "sincosf",
    "exp",          "expf",          "exp2",          "exp2f",
    "exp10",        "exp10f",        "log",           "logf",
    "log2",         "log2f",         "log10",         "log10f",
    "pow",          "powf",          "sqrt",          "sqrtf",
    "fma",          "fmaf",          "fmod",          "fmodf",
    "floor",        "floorf",        "ceil",          "ceilf",
    "trunc",        "truncf",        "rint",          "rintf",
    "round",        "roundf",        "roundeven",     "roundevenf",
    "nearbyint",    "nearbyintf",    "fmin",          "fminf",
    "fmax",         "fmaxf",         "ldexp",         "ldexpf",
    "tanh",         "tanhf",         "sinh",          "sinhf",
    "cosh",         "coshf",         "atan",          "atanf",
    "atan2",        "atan2f",        "asin",          "asinf",
    "acos",         "acosf",         "fminimum_num",  "fminimum_numf",
    "fmaximum_num", "fmaximum_numf", "fminimum",      "fminimumf",
    "fmaximum",     "fmaximumf",     "__udivti3",     "__divti3",
    "__umodti3",    "__modti3",      "__multi3",      "__truncsfhf2",
    "__truncdfhf2", "__extendhfsf2", "__floattisf",   "__floatuntisf",
    "__floattidf",  "__floatuntidf", "__fixsfti",     "__fixdfti",
    "__fixunssfti", "__fixunsdfti",  "__ashlti3",     "__lshrti3",
    "__ashrti3",    "__muloti4",     "__popcountdi2", "__popcountsi2"};

void *gpuocc::execute::runtimeFunction(StringRef Name) {
  for (const FunctionRow &R : ownFunctions())
    if (R.Name == Name)
      return R.Address;
  if (void *Address = directedRounding(Name))
    return Address;
  if (is_contained(LibraryFunctions, Name))
    return dlsym(RTLD_DEFAULT, Name.str().c_str());
  return nullptr;
}
