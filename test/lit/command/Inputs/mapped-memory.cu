#include <cstdio>
#include <cuda.h>
__global__ void add(int *P, int N, int By) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    P[I] += By;
}
static CUmemGenericAllocationHandle created(size_t Bytes) {
  CUmemAllocationProp Properties = {};
  Properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  Properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemGenericAllocationHandle Handle = 0;
  cuMemCreate(&Handle, Bytes, &Properties, 0);
  return Handle;
}
static int at(CUdeviceptr From, size_t Index) {
  int Value = 0;
  cuMemcpyDtoH(&Value, From + Index * sizeof(int), sizeof(int));
  return Value;
}
int main() {
  int CanMap = 0;
  cuDeviceGetAttribute(&CanMap, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 0);
  size_t Page = 0;
  CUmemAllocationProp Properties = {};
  cuMemGetAllocationGranularity(&Page, &Properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  CUdeviceptr A = 0, B = 0;
  cuMemAddressReserve(&A, 1024 * Page, 0, 0, 0);
  cuMemAddressReserve(&B, Page, 0, 0, 0);
  const CUmemGenericAllocationHandle First = created(Page), Second = created(Page);
  CUmemAccessDesc Access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  // An array that grows, whose second part is at another address as well.
  cuMemMap(A, Page, 0, First, 0);
  const int Early = cuMemSetAccess(A, 2 * Page, &Access, 1);
  cuMemMap(A + Page, Page, 0, Second, 0);
  cuMemMap(B, Page, 0, Second, 0);
  const int Again = cuMemMap(A, Page, 0, Second, 0);
  cuMemSetAccess(A, 2 * Page, &Access, 1);
  cuMemSetAccess(B, Page, &Access, 1);
  cuMemRelease(First);
  cuMemRelease(Second);
  const int N = 2 * Page / sizeof(int);
  cuMemsetD32Async(A, 7, N, 0);
  cuMemsetD16(A + 4, 9, 1);
  std::printf("filled %d %d %d\n", at(A, 0), at(A, 1), at(A, N - 1));
  cuMemsetD8(A, 0, 2 * Page);
  for (int I = 0; I != 2; ++I)
    add<<<N / 256, 256>>>((int *)A, N, 3);
  add<<<N / 2 / 256, 256>>>((int *)B, N / 2, 10);
  cuCtxSynchronize();
  std::printf("can map %d, early %d, again %d, values %d %d %d\n", CanMap, Early, Again, at(A, 0),
              at(A, N - 1), at(B, 5));
  // The range that an address is in, and of one in the host's memory.
  CUdeviceptr Start = 0, OfHost = 0;
  size_t Bytes = 0;
  void *Plain;
  cudaMalloc(&Plain, 1000);
  const int Found = cuMemGetAddressRange(&Start, &Bytes, CUdeviceptr(Plain) + 100);
  const bool IsWhole = Start == CUdeviceptr(Plain) && Bytes == 1000;
  cuMemGetAddressRange(nullptr, &Bytes, B);
  std::printf("range %d %d, of pages %d, of the host %d\n", Found, IsWhole, int(Bytes == Page),
              cuMemGetAddressRange(&OfHost, nullptr, CUdeviceptr(&Start)));
  cuMemUnmap(A, Page);
  std::printf("kept %d\n", at(A + Page, 7));
  // There is nothing any more.
  add<<<1, 32>>>((int *)A, 32, 1);
  std::printf("unmapped %d\n", int(cudaDeviceSynchronize()));
}
