// Two streams that overlap, a join by an event, a graph, and copies.
#include <cstdio>

__global__ void work(float *Data, int Rounds) {
  float Value = Data[threadIdx.x];
  for (int I = 0; I < Rounds; ++I)
    Value = Value * 1.5f + 1.0f;
  Data[threadIdx.x] = Value;
}

__global__ void join(float *A, const float *B) { A[threadIdx.x] += B[threadIdx.x]; }

int main() {
  constexpr int Number = 256, Bytes = Number * sizeof(float);
  float Host[Number] = {}, *A, *B;
  cudaMalloc(&A, Bytes);
  cudaMalloc(&B, Bytes);
  cudaMemcpy(A, Host, Bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(B, Host, Bytes, cudaMemcpyHostToDevice);
  cudaStream_t First, Second;
  cudaStreamCreate(&First);
  cudaStreamCreate(&Second);
  cudaEvent_t Done;
  cudaEventCreate(&Done);
  work<<<1, Number, 0, First>>>(A, 20000);
  work<<<1, Number, 0, Second>>>(B, 20000);
  cudaEventRecord(Done, Second);
  cudaStreamWaitEvent(First, Done, 0);
  join<<<1, Number, 0, First>>>(A, B);
  cudaStreamSynchronize(First);
  join<<<1, Number>>>(A, B);
  cudaMemcpy(Host, A, Bytes, cudaMemcpyDeviceToHost);
  printf("%f\n", Host[0]);
}
