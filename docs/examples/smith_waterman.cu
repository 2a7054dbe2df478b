//===- smith_waterman.cu - A wavefront, stored two ways --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local alignment of many pairs of sequences, a block a pair, a thread a row
// of the score matrix (Smith and Waterman 1981). Diagonals are computed one
// after the other, the last three kept in shared memory; the whole matrix goes
// to global memory for the trace back (after the BatchSW proxy of Ding and
// Williams 2019, section IV.D).
//   alignRowMajor       lanes of a warp store one matrix row apart
//   alignDiagonalMajor  lanes of a warp store neighbours
//
// Usage: smith_waterman [pairs]
//
//===----------------------------------------------------------------------===//

#include "example.h"

constexpr int QueryLength = 126, TargetLength = 1066;
constexpr int BlockSize = 128;
constexpr int Diagonals = QueryLength + TargetLength - 1;
constexpr int Match = 2, Mismatch = -1, Gap = -1;

/// What an alignment yields: its score and how many steps its trace has.
struct Alignment {
  int score, steps;
};

struct RowMajor {
  static constexpr int Cells = QueryLength * TargetLength;
  __device__ static int cell(int i, int j) { return i * TargetLength + j; }
};

struct DiagonalMajor {
  static constexpr int Cells = Diagonals * QueryLength;
  __device__ static int cell(int i, int j) { return (i + j) * QueryLength + i; }
};

/// Scores every cell; \returns the thread's best, packed with its place so
/// that the maximum over threads is the best of the matrix.
template <class Layout>
__device__ unsigned long long score(const char *query, const char *target,
                                    short *matrix) {
  __shared__ int diagonal[3][BlockSize + 1];
  int i = threadIdx.x;
  unsigned long long best = 0;
  for (int k = 0; k < 3; ++k)
    diagonal[k][i + 1] = diagonal[k][0] = 0;
  char letter = i < QueryLength ? query[i] : 0;
  __syncthreads();
  for (int d = 0; d < Diagonals; ++d) {
    int *now = diagonal[d % 3], *before = diagonal[(d + 2) % 3],
        *twoBefore = diagonal[(d + 1) % 3];
    int j = d - i;
    if (i < QueryLength && j >= 0 && j < TargetLength) {
      int aligned = twoBefore[i] + (letter == target[j] ? Match : Mismatch);
      int skipped = max(before[i], before[i + 1]) + Gap;
      int value = max(0, max(aligned, skipped));
      now[i + 1] = value;
      matrix[Layout::cell(i, j)] = static_cast<short>(value);
      unsigned int place = i * TargetLength + j;
      unsigned long long packed =
          static_cast<unsigned long long>(value) << 32 | place;
      best = packed > best ? packed : best;
    }
    __syncthreads();
  }
  return best;
}

/// Follows the neighbours that the scores came from, from the best cell until
/// the score is zero.
template <class Layout>
__device__ Alignment trace(const char *query, const char *target,
                           const short *matrix, unsigned long long best) {
  unsigned int place = static_cast<unsigned int>(best);
  int i = place / TargetLength, j = place % TargetLength, steps = 0;
  while (i >= 0 && j >= 0 && matrix[Layout::cell(i, j)] > 0) {
    ++steps;
    int value = matrix[Layout::cell(i, j)];
    int across = i > 0 && j > 0 ? matrix[Layout::cell(i - 1, j - 1)] : 0;
    int above = i > 0 ? matrix[Layout::cell(i - 1, j)] : 0;
    int aligned = across + (query[i] == target[j] ? Match : Mismatch);
    bool takesAcross = value == aligned;
    bool takesAbove = !takesAcross && value == above + Gap;
    i -= takesAcross || takesAbove;
    j -= !takesAbove;
  }
  return {static_cast<int>(best >> 32), steps};
}

template <class Layout>
__device__ void align(const char *queries, const char *targets, short *matrices,
                      Alignment *alignments) {
  __shared__ unsigned long long best;
  if (threadIdx.x == 0)
    best = 0;
  short *matrix = matrices + static_cast<size_t>(blockIdx.x) * Layout::Cells;
  const char *query = queries + blockIdx.x * QueryLength;
  const char *target = targets + blockIdx.x * TargetLength;
  unsigned long long mine = score<Layout>(query, target, matrix);
  atomicMax(&best, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    alignments[blockIdx.x] = trace<Layout>(query, target, matrix, best);
}

__global__ void alignRowMajor(const char *queries, const char *targets,
                              short *matrices, Alignment *alignments) {
  align<RowMajor>(queries, targets, matrices, alignments);
}

__global__ void alignDiagonalMajor(const char *queries, const char *targets,
                                   short *matrices, Alignment *alignments) {
  align<DiagonalMajor>(queries, targets, matrices, alignments);
}

int main(int argc, char **argv) {
  int pairs = argumentOr(argc, argv, 1, 1500);
  // Each query is a stretch of its target: it aligns without a gap.
  std::vector<char> queries(pairs * QueryLength), targets(pairs * TargetLength);
  unsigned int state = 1;
  for (char &letter : targets) {
    state = state * 1664525u + 1013904223u; // a linear congruence
    letter = "ACGT"[state >> 30];
  }
  for (int p = 0; p < pairs; ++p)
    for (int i = 0; i < QueryLength; ++i)
      queries[p * QueryLength + i] = targets[p * TargetLength + p % 900 + i];
  DeviceArray<char> deviceQueries(queries), deviceTargets(targets);
  DeviceArray<short> matrices(static_cast<size_t>(pairs) *
                              DiagonalMajor::Cells);
  DeviceArray<Alignment> alignments(pairs);
  auto isWhole = [](const std::vector<Alignment> &found) {
    for (const Alignment &a : found)
      if (a.score != Match * QueryLength || a.steps != QueryLength)
        return false;
    return true;
  };

  alignRowMajor<<<pairs, BlockSize>>>(deviceQueries, deviceTargets, matrices,
                                      alignments);
  finish("alignRowMajor");
  bool right = verdict("alignRowMajor", isWhole(alignments.toHost()));

  alignDiagonalMajor<<<pairs, BlockSize>>>(deviceQueries, deviceTargets,
                                           matrices, alignments);
  finish("alignDiagonalMajor");
  right &= verdict("alignDiagonalMajor", isWhole(alignments.toHost()));
  return right ? 0 : 1;
}
