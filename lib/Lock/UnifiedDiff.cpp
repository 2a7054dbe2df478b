//===- UnifiedDiff.cpp - A patch from one text to another -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/UnifiedDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <vector>

using namespace gpuocc;
using namespace llvm;

using Lines = std::vector<StringRef>;

namespace {

/// A line that both texts have (' '), or one of them (- and +).
struct Edit {
  char Mark;
  StringRef Line;
};

} // namespace

static Lines linesOf(StringRef Text) {
  Lines Out;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Out.push_back(Line);
    Text = Rest;
  }
  return Out;
}

/// The shortest edits from \p A to \p B; all lines of both where more than
/// MostSteps would be needed.
static std::vector<Edit> editsOf(ArrayRef<StringRef> A, ArrayRef<StringRef> B) {
  constexpr int MostSteps = 2000;
  const int N = int(A.size()), M = int(B.size());
  // The furthest line of A on each diagonal after each number of steps.
  std::vector<std::vector<int>> Trace;
  std::vector<int> Furthest(2 * MostSteps + 3, 0);
  auto At = [](std::vector<int> &V, int Diagonal) -> int & {
    return V[size_t(Diagonal + MostSteps + 1)];
  };
  int Steps = -1;
  for (int D = 0; D <= std::min(N + M, MostSteps) && Steps < 0; ++D) {
    Trace.emplace_back(Furthest.begin() + (MostSteps + 1 - D - 1),
                       Furthest.begin() + (MostSteps + 1 + D + 2));
    for (int K = -D; K <= D; K += 2) {
      const bool Down =
          K == -D || (K != D && At(Furthest, K - 1) < At(Furthest, K + 1));
      int X = Down ? At(Furthest, K + 1) : At(Furthest, K - 1) + 1;
      while (X < N && X - K < M && A[size_t(X)] == B[size_t(X - K)])
        ++X;
      At(Furthest, K) = X;
      if (X >= N && X - K >= M) {
        Steps = D;
        break;
      }
    }
  }
  std::vector<Edit> Out;
  if (Steps < 0) {
    for (StringRef Line : A)
      Out.push_back({'-', Line});
    for (StringRef Line : B)
      Out.push_back({'+', Line});
    return Out;
  }
  // Back from the end.
  int X = N, Y = M;
  for (int D = Steps; D >= 0; --D) {
    std::vector<int> &Then = Trace[size_t(D)];
    auto Was = [&](int Diagonal) { return Then[size_t(Diagonal + D + 1)]; };
    const int K = X - Y;
    const bool Down = K == -D || (K != D && Was(K - 1) < Was(K + 1));
    const int FromX = D == 0 ? 0 : Down ? Was(K + 1) : Was(K - 1) + 1;
    while (X > FromX && Y > FromX - K) {
      --X;
      --Y;
      Out.push_back({' ', A[size_t(X)]});
    }
    if (D == 0)
      break;
    if (Down)
      Out.push_back({'+', B[size_t(--Y)]});
    else
      Out.push_back({'-', A[size_t(--X)]});
  }
  std::reverse(Out.begin(), Out.end());
  return Out;
}

/// "12,3" of a hunk that has \p Count lines from line \p First on.
static std::string rangeText(size_t First, size_t Count) {
  // Of no lines, the one in front of them is named.
  return std::to_string(Count == 0 ? First - 1 : First) + "," +
         std::to_string(Count);
}

std::string gpuocc::unifiedDiff(StringRef Before, StringRef After,
                                StringRef Name) {
  constexpr size_t Context = 3;
  if (Before == After)
    return "";
  const Lines A = linesOf(Before), B = linesOf(After);
  size_t Front = 0, Back = 0;
  const size_t Shorter = std::min(A.size(), B.size());
  while (Front != Shorter && A[Front] == B[Front])
    ++Front;
  while (Back != Shorter - Front &&
         A[A.size() - 1 - Back] == B[B.size() - 1 - Back])
    ++Back;
  std::vector<Edit> Edits;
  for (size_t I = 0; I != Front; ++I)
    Edits.push_back({' ', A[I]});
  append_range(Edits,
               editsOf(ArrayRef(A).slice(Front, A.size() - Front - Back),
                       ArrayRef(B).slice(Front, B.size() - Front - Back)));
  for (size_t I = A.size() - Back; I != A.size(); ++I)
    Edits.push_back({' ', A[I]});

  std::string Out = ("--- " + Name + "\n+++ " + Name + "\n").str();
  size_t LineOfA = 1, LineOfB = 1, Done = 0;
  auto Skip = [&](size_t To) {
    for (; Done != To; ++Done) {
      LineOfA += Edits[Done].Mark != '+';
      LineOfB += Edits[Done].Mark != '-';
    }
  };
  while (true) {
    size_t First = Done;
    while (First != Edits.size() && Edits[First].Mark == ' ')
      ++First;
    if (First == Edits.size())
      return Out;
    // A hunk goes on to the next change that is near.
    size_t Last = First;
    for (size_t I = First; I != Edits.size() && I - Last <= 2 * Context; ++I)
      if (Edits[I].Mark != ' ')
        Last = I;
    Skip(std::max(Done, First - std::min(First, Context)));
    const size_t End = std::min(Edits.size(), Last + 1 + Context);
    size_t InA = 0, InB = 0;
    std::string Hunk;
    for (size_t I = Done; I != End; ++I) {
      InA += Edits[I].Mark != '+';
      InB += Edits[I].Mark != '-';
      Hunk += (Twine(Edits[I].Mark) + Edits[I].Line + "\n").str();
    }
    Out += "@@ -" + rangeText(LineOfA, InA) + " +" + rangeText(LineOfB, InB) +
           " @@\n" + Hunk;
    Skip(End);
  }
}
