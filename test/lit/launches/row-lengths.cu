// Where rows begin is in an array. Nothing says what it holds, but the sizes of
// arrays tell how long rows are in the mean: 40 here.
//
// RUN: %gpu-occupancy explain rows %s --device=nvidia-h200 --code=clang | FileCheck %s --check-prefix=ROWS
// RUN: %gpu-occupancy explain rows %s --device=nvidia-h200 --code=clang --without=trip-counts | FileCheck %s --check-prefix=WITHOUT
// RUN: %gpu-occupancy explain lists %s --device=nvidia-h200 --code=clang | FileCheck %s --check-prefix=LISTS

// ROWS-NOT: trip count of the loop
// ROWS: length of the rows that begin where begin says = 40 each, as arrays have room for 8000000 elements of 200000 rows
// ROWS-NOT: trip count of the loop
// WITHOUT-NOT: length of the rows
// WITHOUT: trip count of the loop at row-lengths.cu:[[@LINE+7]] = 1;
__global__ void rows(const int *begin, const int *column, const float *value,
                     const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

// A count beside a begin is no end.
// LISTS-NOT: length of the rows
// LISTS: trip count of the loop at row-lengths.cu:[[@LINE+6]] = 16
__global__ void lists(const int *beginAndCount, const float *value, float *y,
                      int n) {
  int list = blockIdx.x * blockDim.x + threadIdx.x;
  int first = beginAndCount[2 * list], count = beginAndCount[2 * list + 1];
  float sum = 0;
  for (int k = 0; k < count; k++)
    sum += value[first + k];
  y[list] = sum;
}

int main() {
  const int n = 200000;
  int *begin, *column;
  float *value, *x, *y;
  cudaMalloc(&begin, (n + 1) * sizeof(int));
  cudaMalloc(&column, n * 40 * sizeof(int));
  cudaMalloc(&value, n * 40 * sizeof(float));
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  rows<<<(n + 255) / 256, 256>>>(begin, column, value, x, y, n);
  lists<<<n / 512, 256>>>(begin, value, y, n);
}
