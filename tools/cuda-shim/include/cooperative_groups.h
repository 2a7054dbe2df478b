//===- cooperative_groups.h - Blocks, tiles of warps, grids ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups that most sources use, with the instructions that a toolkit's
// header makes of them. The barrier of a grid is declared only.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_COOPERATIVE_GROUPS_H
#define GPUOCC_CUDA_SHIM_COOPERATIVE_GROUPS_H

#include "gpuocc_cuda_shim.h"

extern "C" __attribute__((device)) void gpuoccShimSyncGrid();

#define GPUOCC_SHIM_DEVICE                                                     \
  inline __attribute__((device, always_inline, nodebug))

namespace cooperative_groups {

/// All threads of a block.
struct thread_block {
  GPUOCC_SHIM_DEVICE void sync() const { __syncthreads(); }
  GPUOCC_SHIM_DEVICE unsigned int thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  GPUOCC_SHIM_DEVICE unsigned int size() const {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  GPUOCC_SHIM_DEVICE unsigned int num_threads() const { return size(); }
  GPUOCC_SHIM_DEVICE dim3 group_index() const { return blockIdx; }
  GPUOCC_SHIM_DEVICE dim3 thread_index() const { return threadIdx; }
};

/// All threads of a grid that was launched for that.
struct grid_group {
  GPUOCC_SHIM_DEVICE void sync() const { gpuoccShimSyncGrid(); }
  GPUOCC_SHIM_DEVICE bool is_valid() const { return true; }
  GPUOCC_SHIM_DEVICE unsigned long long thread_rank() const {
    const unsigned long long block =
        (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * thread_block().size() + thread_block().thread_rank();
  }
  GPUOCC_SHIM_DEVICE unsigned long long size() const {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z *
           thread_block().size();
  }
};

/// \p Size neighbouring lanes of a warp.
template <unsigned int Size, class Parent = void> struct thread_block_tile {
  GPUOCC_SHIM_DEVICE thread_block_tile() {}
  template <class Other>
  GPUOCC_SHIM_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &) {
  }
  GPUOCC_SHIM_DEVICE void sync() const { __syncwarp(mask()); }
  GPUOCC_SHIM_DEVICE unsigned int thread_rank() const {
    return thread_block().thread_rank() % Size;
  }
  GPUOCC_SHIM_DEVICE unsigned int meta_group_rank() const {
    return thread_block().thread_rank() / Size;
  }
  GPUOCC_SHIM_DEVICE unsigned int meta_group_size() const {
    return (thread_block().size() + Size - 1) / Size;
  }
  GPUOCC_SHIM_DEVICE static constexpr unsigned int size() { return Size; }
  GPUOCC_SHIM_DEVICE static constexpr unsigned int num_threads() {
    return Size;
  }
  template <class T> GPUOCC_SHIM_DEVICE T shfl(T value, int lane) const {
    return __shfl_sync(mask(), value, lane, Size);
  }
  template <class T>
  GPUOCC_SHIM_DEVICE T shfl_down(T value, unsigned int offset) const {
    return __shfl_down_sync(mask(), value, offset, Size);
  }
  template <class T>
  GPUOCC_SHIM_DEVICE T shfl_up(T value, unsigned int offset) const {
    return __shfl_up_sync(mask(), value, offset, Size);
  }
  template <class T> GPUOCC_SHIM_DEVICE T shfl_xor(T value, int offset) const {
    return __shfl_xor_sync(mask(), value, offset, Size);
  }
  GPUOCC_SHIM_DEVICE int any(int predicate) const {
    return __any_sync(mask(), predicate);
  }
  GPUOCC_SHIM_DEVICE int all(int predicate) const {
    return __all_sync(mask(), predicate);
  }
  GPUOCC_SHIM_DEVICE unsigned int ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> firstLane();
  }

private:
  GPUOCC_SHIM_DEVICE unsigned int firstLane() const {
    return thread_block().thread_rank() % 32 / Size * Size;
  }
  GPUOCC_SHIM_DEVICE unsigned int mask() const {
    return Size == 32 ? ~0u : ((1u << Size % 32) - 1) << firstLane();
  }
};

GPUOCC_SHIM_DEVICE thread_block this_thread_block() { return {}; }
GPUOCC_SHIM_DEVICE grid_group this_grid() { return {}; }
template <unsigned int Size, class Parent>
GPUOCC_SHIM_DEVICE thread_block_tile<Size, Parent>
tiled_partition(const Parent &) {
  return {};
}
template <class Group> GPUOCC_SHIM_DEVICE void sync(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_COOPERATIVE_GROUPS_H
