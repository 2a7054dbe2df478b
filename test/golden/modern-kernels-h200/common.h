// What the kernels here share: copies, barriers, products, tensor maps.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
using bf16 = __nv_bfloat16;
using bf162 = __nv_bfloat162;
using fp8 = __nv_fp8_e4m3;

__device__ __forceinline__ unsigned smem(const void *P) {
  return unsigned(__cvta_generic_to_shared(P));
}
__device__ __forceinline__ void copy16(unsigned To, const void *From) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
               "l"(From));
}
__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int N> __device__ __forceinline__ void waitGroup() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void ldmatrix(unsigned (&R)[4], unsigned From) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
               : "r"(From));
}
__device__ __forceinline__ void ldmatrixT(unsigned (&R)[4], unsigned From) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(R[0]), "=r"(R[1]), "=r"(R[2]), "=r"(R[3])
      : "r"(From));
}
__device__ __forceinline__ void mma(float (&C)[4], const unsigned (&A)[4],
                                    unsigned B0, unsigned B1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B0), "r"(B1));
}
__device__ __forceinline__ void mmaHalf(float (&C)[4], const unsigned (&A)[4],
                                        unsigned B0, unsigned B1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B0), "r"(B1));
}
__device__ __forceinline__ unsigned pack(float A, float B) {
  bf162 V = __floats2bfloat162_rn(A, B);
  return *(unsigned *)&V;
}
__device__ __forceinline__ void wait(unsigned Bar, unsigned Phase) {
  asm volatile("{\n.reg .pred p;\nL%=: mbarrier.try_wait.parity.shared.b64 p, "
               "[%0], %1;\n@!p bra L%=;\n}" ::"r"(Bar),
               "r"(Phase)
               : "memory");
}
__device__ __forceinline__ void init(unsigned Bar, unsigned Count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Bar), "r"(Count));
}
__device__ __forceinline__ void expect(unsigned Bar, unsigned Bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(Bar),
               "r"(Bytes)
               : "memory");
}
__device__ __forceinline__ void arrive(unsigned Bar) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(Bar) : "memory");
}
__device__ __forceinline__ void arriveAt(unsigned Bar, unsigned Rank) {
  asm volatile(
      "{\n.reg .b32 r;\nmapa.shared::cluster.u32 r, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [r];\n}" ::"r"(
          Bar),
      "r"(Rank)
      : "memory");
}
__device__ __forceinline__ void tile(unsigned To, const CUtensorMap *Map, int X,
                                     int Y, unsigned Bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(To),
               "l"(Map), "r"(X), "r"(Y), "r"(Bar)
               : "memory");
}
__device__ __forceinline__ void tileToAll(unsigned To, const CUtensorMap *Map,
                                          int X, int Y, unsigned Bar,
                                          unsigned short Mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
      "bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(To),
      "l"(Map), "r"(X), "r"(Y), "r"(Bar), "h"(Mask)
      : "memory");
}
__device__ __forceinline__ uint64_t descriptor(unsigned P) {
  return uint64_t((P & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) |
         (1ull << 62);
}

template <class T> T *make(size_t N, int Byte = 0) {
  void *P;
  cudaMalloc(&P, N * sizeof(T));
  cudaMemset(P, Byte, N * sizeof(T));
  return (T *)P;
}
using Encode = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                            void *, const cuuint64_t *, const cuuint64_t *,
                            const cuuint32_t *, const cuuint32_t *,
                            CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
// Boxes of rows of 128 bytes.
inline CUtensorMap mapOf(void *P, int Rows, int Cols, int BoxRows, int Bytes,
                         bool Swizzled = true) {
  static Encode F = nullptr;
  if (!F) {
    void *V = nullptr;
    cudaDriverEntryPointQueryResult R;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &V, 12000,
                                     cudaEnableDefault, &R);
    F = (Encode)V;
  }
  CUtensorMap M;
  cuuint64_t Dims[] = {cuuint64_t(Cols), cuuint64_t(Rows)},
             Strides[] = {cuuint64_t(Cols) * Bytes};
  cuuint32_t Box[] = {cuuint32_t(128 / Bytes), cuuint32_t(BoxRows)},
             Step[] = {1, 1};
  F(&M,
    Bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
               : CU_TENSOR_MAP_DATA_TYPE_UINT8,
    2, P, Dims, Strides, Box, Step, CU_TENSOR_MAP_INTERLEAVE_NONE,
    Swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return M;
}
template <class... P, class... A>
void launch(void (*F)(P...), dim3 Grid, int Block, int Shared, int Size,
            A... Arguments) {
  cudaFuncSetAttribute(F, cudaFuncAttributeMaxDynamicSharedMemorySize, Shared);
  cudaLaunchConfig_t C{};
  cudaLaunchAttribute At{};
  C.gridDim = Grid;
  C.blockDim = dim3(Block);
  C.dynamicSmemBytes = Shared;
  C.attrs = &At;
  C.numAttrs = Size > 1;
  At.id = cudaLaunchAttributeClusterDimension;
  At.val.clusterDim.x = Size;
  At.val.clusterDim.y = At.val.clusterDim.z = 1;
  cudaLaunchKernelEx(&C, F, P(Arguments)...);
}
inline void finish() {
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
