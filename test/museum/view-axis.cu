// The view keeps its layout and the loop takes the other axis first.
#include "exhibit.h"

struct View {
  float *Data;
  int Rows;
  __device__ float &operator()(int row, int column) const {
    return Data[column * Rows + row];
  }
};

__global__ void update(View out, View in, int rows, int columns) {
#ifndef AFTER
  int row = blockIdx.x * 32 + threadIdx.x,
      column = blockIdx.y * 8 + threadIdx.y;
#else
  int column = blockIdx.x * 32 + threadIdx.x,
      row = blockIdx.y * 8 + threadIdx.y;
#endif
  if (row < rows && column < columns)
    out(row, column) = 2 * in(row, column) + 1;
}

void launch(const Arrays &On) {
  update<<<dim3(128, 512), dim3(32, 8)>>>(View{On.B, 4096}, View{On.A, 4096},
                                          4096, 4096);
}
