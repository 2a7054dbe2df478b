// Kernels whose work code, arguments and arrays of the host decide:
// test/executed_counts.py holds what is said of them against what their warps
// execute.

#include <cstdlib>
#include <vector>

__global__ void spmv(const int *rows, const int *cols, const float *v,
                     const float *x, float *y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  float s = 0;
  for (int k = rows[r]; k < rows[r + 1]; ++k)
    s += v[k] * x[cols[k]];
  y[r] = s;
}
__global__ void spmvWarp(const int *rows, const int *cols, const float *v,
                         const float *x, float *y, int n) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x & 31;
  if (w >= n)
    return;
  float s = 0;
  for (int k = rows[w] + l; k < rows[w + 1]; k += 32)
    s += v[k] * x[cols[k]];
  for (int o = 16; o; o >>= 1)
    s += __shfl_down_sync(~0u, s, o);
  if (l == 0)
    y[w] = s;
}
__global__ void histogram(const unsigned char *in, int *bins, int n) {
  __shared__ int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i]], 1);
  __syncthreads();
  if (local[threadIdx.x])
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
__global__ void stencil(const float *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    b[y * w + x] = 0.2f * (a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] +
                           a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}
__global__ void convolve(const float *in, const float *k, float *out, int w,
                         int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int dy = -r; dy <= r; ++dy)
    for (int dx = -r; dx <= r; ++dx) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h)
        s += in[yy * w + xx] * k[(dy + r) * (2 * r + 1) + dx + r];
    }
  out[y * w + x] = s;
}
__global__ void binsearch(const int *keys, const int *table, int *out, int n,
                          int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int key = keys[i], lo = 0, hi = m;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (table[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  out[i] = lo;
}
__global__ void compact(const int *in, int *out, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && in[i] % 3 == 0;
  unsigned m = __ballot_sync(~0u, keep);
  int l = threadIdx.x & 31, base = 0;
  if (m && l == __ffs(m) - 1)
    base = atomicAdd(count, __popc(m));
  base = __shfl_sync(~0u, base, m ? __ffs(m) - 1 : 0);
  if (keep)
    out[base + __popc(m & ((1u << l) - 1))] = in[i];
}
__global__ void hashInsert(const unsigned *keys, unsigned *table, int n,
                           unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned k = keys[i], h = (k * 2654435761u) & mask;
  while (true) {
    unsigned old = atomicCAS(&table[h], 0u, k);
    if (old == 0 || old == k)
      break;
    h = (h + 1) & mask;
  }
}
__global__ void hashFind(const unsigned *keys, const unsigned *table, int *out,
                         int n, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned k = keys[i], h = (k * 2654435761u) & mask;
  int steps = 0;
  while (table[h] != k && table[h] != 0) {
    h = (h + 1) & mask;
    ++steps;
  }
  out[i] = steps;
}
__global__ void scanBlock(const int *in, int *out, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int o = 1; o < 256; o *= 2) {
    int t = threadIdx.x >= o ? s[threadIdx.x - o] : 0;
    __syncthreads();
    s[threadIdx.x] += t;
    __syncthreads();
  }
  if (i < n)
    out[i] = s[threadIdx.x];
}
__global__ void oddBlock(const float *a, float *b, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) {
    int i = (z * ny + y) * nx + x;
    float s = a[i];
    if (x)
      s += a[i - 1];
    if (y)
      s += a[i - nx];
    if (z)
      s += a[i - nx * ny];
    b[i] = s;
  }
}
struct P {
  float x, y, z, w, u;
};
__global__ void structs(const P *in, P *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    P p = in[i];
    p.x += p.u;
    p.w = sqrtf(p.y * p.z);
    out[n - 1 - i] = p;
  }
}
__global__ void gather(const int *idx, const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    if (idx[i] >= 0)
      out[i] = in[idx[i]] * 2.0f;
}
__global__ void classes(const int *kind, float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = v[i];
  switch (kind[i]) {
  case 0:
    x = x * x;
    break;
  case 1:
    x = sinf(x);
    break;
  case 2:
    for (int k = 0; k < 10; ++k)
      x = x * 0.5f + 1;
    break;
  case 3:
    x = expf(-x);
    break;
  case 4:
    x = x > 0.5f ? logf(x) : -x;
    break;
  default:
    return;
  }
  v[i] = x;
}
__global__ void bfs(const int *rows, const int *cols, int *level, int cur,
                    int *more, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != cur)
    return;
  for (int e = rows[v]; e < rows[v + 1]; ++e) {
    int t = cols[e];
    if (level[t] < 0) {
      level[t] = cur + 1;
      *more = 1;
    }
  }
}
__global__ void triangular(const float *l, float *x, int n) {
  int j = threadIdx.x;
  __shared__ float s[128];
  s[j] = x[j];
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    if (j > i)
      s[j] -= l[j * n + i] * s[i];
  }
  x[j] = s[j];
}
__global__ void tiled(const float *a, const float *b, float *c, int m, int n,
                      int k) {
  __shared__ float sa[16][17], sb[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    int kx = t * 16 + threadIdx.x, ky = t * 16 + threadIdx.y;
    sa[threadIdx.y][threadIdx.x] = y < m && kx < k ? a[y * k + kx] : 0;
    sb[threadIdx.y][threadIdx.x] = ky < k && x < n ? b[ky * n + x] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      s += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  if (y < m && x < n)
    c[y * n + x] = s;
}
__global__ void mandel(int *o, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float cx = -2 + 3.f * x / w, cy = -1 + 2.f * y / h, a = 0, b = 0;
  int n = 0;
  while (n < most && a * a + b * b < 4) {
    float t = a * a - b * b + cx;
    b = 2 * a * b + cy;
    a = t;
    ++n;
  }
  o[y * w + x] = n;
}
__global__ void reduceAtomic(const float *a, float *out, int n) {
  __shared__ float s[8];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    v += a[i];
  for (int o = 16; o; o /= 2)
    v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < blockDim.x / 32; ++i)
      v += s[i];
    atomicAdd(out, v);
  }
}
__global__ void linked(const int *next, const int *head, int *len, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int c = 0;
  for (int p = head[i]; p >= 0; p = next[p])
    ++c;
  len[i] = c;
}
__global__ void divide(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] / b[i];
}
__global__ void longdiv(const long long *a, const long long *b, long long *c,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] / b[i] + a[i] % b[i];
}
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__global__ void recursive(int *o) { o[threadIdx.x] = fib(threadIdx.x % 7); }
__global__ void nbody(const float4 *p, float4 *a, int n) {
  extern __shared__ float4 s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i], f = {0, 0, 0, 0};
  for (int t = 0; t < n; t += blockDim.x) {
    s[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z,
            d = dx * dx + dy * dy + dz * dz + 1e-3f, r = rsqrtf(d),
            q = s[j].w * r * r * r;
      f.x += dx * q;
      f.y += dy * q;
      f.z += dz * q;
    }
    __syncthreads();
  }
  a[i] = f;
}
__global__ void strings(const char *text, const int *start, int *hash, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int h = 7;
  for (const char *c = text + start[i]; *c; ++c)
    h = h * 31 + *c;
  hash[i] = h;
}
__global__ void collide(const float2 *p, int *hit, int n, float r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int c = 0;
  for (int j = 0; j < n; ++j) {
    if (j == i)
      continue;
    float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y;
    if (dx * dx + dy * dy < r * r) {
      if (++c > 8)
        break;
    }
  }
  hit[i] = c;
}
__global__ void trailing(float *a, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > k && j > k && i < n && j < n)
    a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
__global__ void lowerHalf(const float *a, float *b, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j <= i)
    b[i * n + j] = a[i * n + j] + a[j * n + i];
}
__global__ void band(const float *a, float *b, int n, int w) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n && j - i < w && i - j < w)
    b[i * n + j] = 2 * a[i * n + j];
}
__global__ void corner(float *a, int n, int x0, int y0, int z0) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= x0 && y >= y0 && z < z0 && x < n && y < n)
    a[(z * n + y) * n + x] += 1;
}
__global__ void prefixRows(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (i < n)
    for (int j = 0; j <= i; ++j)
      if ((j & 3) != 1)
        sum += a[j * n + i];
  if (i < n)
    s[i] = sum;
}
template <class T> T *up(const std::vector<T> &v) {
  T *d;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> T *zeros(int n) {
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}
int main() {
  srand(3);
  const int N = 3000;
  std::vector<int> rows(N + 1), cols;
  std::vector<float> val;
  for (int i = 0; i < N; ++i) {
    int c = rand() % 20 + (i % 97 == 0) * 100;
    rows[i + 1] = rows[i] + c;
    for (int k = 0; k < c; ++k) {
      cols.push_back(rand() % N);
      val.push_back(1.f / (1 + rand() % 9));
    }
  }
  int *dr = up(rows), *dc = up(cols);
  float *dv = up(val), *x = up(std::vector<float>(1 << 16, 1.5f)),
        *y = zeros<float>(1 << 16);
  spmv<<<(N + 127) / 128, 128>>>(dr, dc, dv, x, y, N);
  spmvWarp<<<(N + 3) / 4, 128>>>(dr, dc, dv, x, y, N);
  std::vector<unsigned char> bytes(50001);
  for (auto &b : bytes)
    b = rand() % 100;
  histogram<<<20, 256>>>(up(bytes), zeros<int>(256), 50001);
  stencil<<<dim3(7, 13), dim3(32, 8)>>>(x, y, 201, 101);
  convolve<<<dim3(7, 13), dim3(32, 8)>>>(x, up(std::vector<float>(49, .1f)), y,
                                         201, 101, 3);
  std::vector<int> keys(N), table(5000);
  for (auto &k : keys)
    k = rand() % 20000;
  for (int i = 0; i < 5000; ++i)
    table[i] = 4 * i;
  int *dk = up(keys);
  binsearch<<<(N + 255) / 256, 256>>>(dk, up(table), zeros<int>(N), N, 5000);
  compact<<<(N + 255) / 256, 256>>>(dk, zeros<int>(N), zeros<int>(1), N);
  std::vector<unsigned> uk(N);
  for (auto &k : uk)
    k = 1 + rand() % 100000;
  unsigned *duk = up(uk), *tab = zeros<unsigned>(4096);
  hashInsert<<<(N + 255) / 256, 256>>>(duk, tab, N, 4095);
  hashFind<<<(N + 255) / 256, 256>>>(duk, tab, zeros<int>(N), N, 4095);
  scanBlock<<<12, 256>>>(dk, zeros<int>(N), N);
  oddBlock<<<dim3(5, 7, 4), dim3(11, 5, 3)>>>(x, y, 53, 33, 11);
  structs<<<12, 256>>>((P *)zeros<P>(N), zeros<P>(N), N);
  std::vector<int> idx(N);
  for (auto &i : idx)
    i = rand() % 4 ? rand() % 60000 : -1;
  gather<<<4, 256>>>(up(idx), x, y, N);
  std::vector<int> kind(N);
  for (auto &i : kind)
    i = rand() % 7;
  classes<<<12, 256>>>(up(kind), up(std::vector<float>(N, .7f)), N);
  std::vector<int> lev(N, -1);
  lev[0] = 0;
  int *dl = up(lev), *more = zeros<int>(1);
  for (int l = 0; l < 4; ++l)
    bfs<<<12, 256>>>(dr, dc, dl, l, more, N);
  triangular<<<1, 128>>>(x, y, 128);
  tiled<<<dim3(5, 4), dim3(16, 16)>>>(x, x, y, 61, 75, 45);
  mandel<<<dim3(4, 16), dim3(32, 4)>>>(zeros<int>(1 << 14), 120, 61, 200);
  reduceAtomic<<<10, 256>>>(x, y, 50000);
  std::vector<int> next(N), head(N);
  for (int i = 0; i < N; ++i) {
    next[i] = i % 13 ? i - 1 : -1;
    head[i] = rand() % N;
  }
  linked<<<12, 256>>>(up(next), up(head), zeros<int>(N), N);
  std::vector<float> fa(N), fb(N);
  for (int i = 0; i < N; ++i) {
    fa[i] = i % 40 ? i : 0;
    fb[i] = 1 + i % 7;
  }
  divide<<<12, 256>>>(up(fa), up(fb), y, N);
  std::vector<long long> la(N), lb(N);
  for (int i = 0; i < N; ++i) {
    la[i] = i % 50 ? i * 3 : 1ll << 40;
    lb[i] = 1 + i % 7;
  }
  longdiv<<<12, 256>>>(up(la), up(lb), zeros<long long>(N), N);
  recursive<<<1, 64>>>(zeros<int>(64));
  nbody<<<4, 128, 128 * 16>>>((float4 *)x, (float4 *)y, 512);
  std::vector<char> text;
  std::vector<int> start;
  for (int i = 0; i < N; ++i) {
    start.push_back(text.size());
    for (int k = rand() % 30; k >= 0; --k)
      text.push_back('a' + k % 26);
    text.push_back(0);
  }
  strings<<<12, 256>>>(up(text), up(start), zeros<int>(N), N);
  std::vector<float2> pts(600);
  for (auto &p : pts) {
    p.x = rand() % 1000 / 1000.f;
    p.y = rand() % 1000 / 1000.f;
  }
  float2 *points = up(pts);
  collide<<<5, 128>>>(points, zeros<int>(600), 600, .1f);
  // All lanes turn 40 times.
  collide<<<1, 32>>>(points, zeros<int>(40), 40, .1f);
  // No more blocks than are counted.
  float *square = zeros<float>(1 << 20), *other = zeros<float>(1 << 20);
  for (int k : {3, 90, 180})
    trailing<<<dim3(10, 38), dim3(32, 8)>>>(square, 200, k);
  trailing<<<dim3(32, 64), dim3(32, 8)>>>(square, 500, 411);
  lowerHalf<<<dim3(16, 63), dim3(32, 8)>>>(square, other, 500);
  band<<<dim3(32, 63), dim3(16, 8)>>>(square, other, 500, 5);
  corner<<<dim3(4, 16, 30), dim3(32, 8)>>>(square, 125, 70, 99, 7);
  prefixRows<<<8, 128>>>(square, other, 1000);
  return cudaDeviceSynchronize();
}
