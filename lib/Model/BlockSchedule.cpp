//===- BlockSchedule.cpp - The order that an assembler gives code ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

class Scheduler {
public:
  explicit Scheduler(ArrayRef<ScheduleNode> Code)
      : Code(Code), Users(Code.size()), Waiting(Code.size()),
        Height(Code.size()), ReadyAt(Code.size()) {
    for (uint32_t I = 0; I != Code.size(); ++I) {
      for (const ScheduleNode::Input &In : Code[I].Inputs)
        Users[In.Index].push_back(
            {I, Code[In.Index].LatencyCycles + In.ExtraLatencyCycles,
             In.ExtraLatencyCycles});
      for (uint32_t Before : Code[I].After)
        Users[Before].push_back({I, 0, 0});
      Waiting[I] = Code[I].Inputs.size() + Code[I].After.size();
    }
    for (uint32_t I = Code.size(); I-- > 0;) {
      double Below = 0;
      for (const User &U : Users[I])
        Below = std::max(Below, Height[U.Index] + U.ExtraLatency);
      Height[I] = Below + std::max(Code[I].LatencyCycles, Code[I].IssueCycles);
    }
  }

  std::vector<uint32_t> run() {
    std::vector<uint32_t> Order;
    for (uint32_t I = 0; I != Code.size(); ++I)
      if (!Waiting[I])
        Ready.push_back(I);
    while (!Ready.empty()) {
      const uint32_t I = takeNext();
      issue(I);
      Order.push_back(I);
    }
    return Order;
  }

private:
  struct User {
    uint32_t Index;
    double Latency, ExtraLatency;
  };

  ArrayRef<ScheduleNode> Code;
  std::vector<SmallVector<User, 4>> Users;
  std::vector<unsigned> Waiting;
  std::vector<double> Height, ReadyAt;
  std::vector<uint32_t> Ready;
  std::array<double, 256> PipeFree = {};
  double Now = 0;

  double start(uint32_t I) const {
    return std::max({Now, ReadyAt[I], PipeFree[Code[I].Pipe]});
  }

  /// Takes what starts first, of those the highest, of those the first.
  uint32_t takeNext() {
    size_t Best = 0;
    double BestStart = start(Ready[0]);
    for (size_t K = 1; K != Ready.size(); ++K) {
      const uint32_t I = Ready[K], Of = Ready[Best];
      const double Start = start(I);
      if (Start > BestStart)
        continue;
      if (Start < BestStart ||
          std::pair(-Height[I], I) < std::pair(-Height[Of], Of)) {
        Best = K;
        BestStart = Start;
      }
    }
    const uint32_t I = Ready[Best];
    Ready[Best] = Ready.back();
    Ready.pop_back();
    return I;
  }

  void issue(uint32_t I) {
    double Start = start(I);
    Now = Start + Code[I].IssueCycles;
    PipeFree[Code[I].Pipe] = Start + Code[I].PipeCycles;
    for (const User &U : Users[I]) {
      ReadyAt[U.Index] = std::max(ReadyAt[U.Index], Start + U.Latency);
      if (--Waiting[U.Index] == 0)
        Ready.push_back(U.Index);
    }
  }
};

} // namespace

std::vector<uint32_t> gpuocc::issueOrder(ArrayRef<ScheduleNode> Code) {
  return Scheduler(Code).run();
}
