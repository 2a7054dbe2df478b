// Kernels whose branches follow from threads, blocks, arguments and what is
// stored in shared and local memory: test/branch_counts.py counts them, and
// test/executed_counts.py. The second alone counts those that are executed:
// lanes of a loop meet at its header at the latest, as in a walk, where the
// interpreter of the first lets them go on to the post-dominator.
//
// executed machine grid=2 block=64
//
// launch pairs grid=2 block=64
// launch collatz grid=4 block=64
// launch mandel grid=4 block=64 w=64
// launch earlier grid=4 block=64
// launch wide grid=4 block=64 n=20000
// launch gcds grid=4 block=64
// launch isqrt grid=4 block=64
// launch primes grid=8 block=64
// launch lcg grid=8 block=64
// launch scan grid=2 block=64
// launch bitonic grid=2 block=64
// launch oddeven grid=2 block=64 n=64
// launch shuffles grid=4 block=64
// launch ballots grid=4 block=64
// launch locals grid=4 block=64
// launch triangular grid=2 block=64 n=60
// launch binary grid=4 block=64 n=100000
// launch josephus grid=4 block=64
// launch halving grid=4 block=64
// launch newton grid=4 block=64
// launch moving grid=2 block=64 n=100
// launch fenwick grid=2 block=64 n=500
// launch early grid=4 block=64 n=200
// launch subtract grid=4 block=64
// launch lists grid=2 block=64
// launch cycles grid=2 block=64
// launch insertion grid=2 block=64
// launch shorts grid=4 block=64
// launch downward grid=4 block=64 n=90
// launch tiles grid=8 block=64 n=300
// launch floyd grid=4 block=64
// launch ranges grid=8 block=64 n=1000
// launch twoexits grid=4 block=64 n=64
// launch steps grid=4 block=64 n=1000
// launch minmax grid=4 block=64 n=40

#define T (int)(blockIdx.x * blockDim.x + threadIdx.x)

extern "C" {

__global__ void pairs(int *o) {
  int t = T, s = 0;
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
#pragma unroll 1
    for (int j = 0; j < 64; ++j) {
      if (i * j > 150)
        break;
      s += i ^ j ^ t;
    }
  o[t] = s;
}

__global__ void collatz(int *o) {
  int t = T, s = 0;
  unsigned v = t + 1;
#pragma unroll 1
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++s;
  }
  o[t] = s;
}

__global__ void mandel(int *o, int w) {
  int t = T, n = 0;
  float cx = (t % w) * 0.046875f - 2, cy = (t / w) * 0.0625f - 1, x = 0, y = 0;
#pragma unroll 1
  while (x * x + y * y < 4 && n < 256) {
    float q = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = q;
    ++n;
  }
  o[t] = n;
}

__global__ void earlier(int *o) {
  int t = T, n = 0, s = 0;
#pragma unroll 1
  for (int v = t + 7; v > 1; v >>= 1)
    ++n;
#pragma unroll 1
  for (int i = 0; i < n * n; ++i)
    s += i ^ t;
  o[t] = s;
}

__global__ void wide(long long *o, long long n) {
  long long s = 0, t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (long long i = t; i < n; i += (long long)gridDim.x * blockDim.x)
    s += i ^ 1000003;
  o[t] = s;
}

__global__ void gcds(int *o) {
  int t = T, a = t + 1, b = 360360;
#pragma unroll 1
  while (b) {
    int r = a % b;
    a = b;
    b = r;
  }
  o[t] = a;
}

__global__ void isqrt(int *o) {
  unsigned x = T * 977u + 5, r = 0, b = 1u << 30;
#pragma unroll 1
  while (b > x)
    b >>= 2;
#pragma unroll 1
  while (b) {
    if (x >= r + b) {
      x -= r + b;
      r = (r >> 1) + b;
    } else
      r >>= 1;
    b >>= 2;
  }
  o[T] = r;
}

__global__ void primes(int *o) {
  int t = T + 2, p = 1;
#pragma unroll 1
  for (int d = 2; d * d <= t; ++d)
    if (t % d == 0) {
      p = 0;
      break;
    }
  o[T] = p;
}

__global__ void lcg(int *o) {
  unsigned x = T, n = 0;
#pragma unroll 1
  do {
    x = x * 1664525u + 1013904223u;
    ++n;
  } while ((x >> 24) > 20 && n < 1000);
  o[T] = n;
}

__global__ void scan(int *o) {
  __shared__ int s[64];
  int t = threadIdx.x, n = 0;
  s[t] = t * 3;
  __syncthreads();
#pragma unroll 1
  for (int d = 1; d < 64; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
#pragma unroll 1
  for (int i = 0; i < s[t] % 50; ++i)
    n += i * t;
  o[T] = n;
}

__global__ void bitonic(int *o) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = (t * 37) & 63;
  __syncthreads();
#pragma unroll 1
  for (int k = 2; k <= 64; k *= 2)
#pragma unroll 1
    for (int j = k / 2; j > 0; j /= 2) {
      int q = t ^ j;
      if (q > t) {
        bool up = (t & k) == 0;
        if (up ? s[t] > s[q] : s[t] < s[q]) {
          int x = s[t];
          s[t] = s[q];
          s[q] = x;
        }
      }
      __syncthreads();
    }
  o[T] = s[t];
}

__global__ void oddeven(int *o, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 64 - t;
  __syncthreads();
#pragma unroll 1
  for (int r = 0; r < n; ++r) {
    if ((t & 1) == (r & 1) && t + 1 < 64 && s[t] > s[t + 1]) {
      int x = s[t];
      s[t] = s[t + 1];
      s[t + 1] = x;
    }
    __syncthreads();
  }
  o[T] = s[t];
}

__global__ void shuffles(int *o) {
  int v = T % 37, n = 0;
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
#pragma unroll 1
  for (int i = 0; i < v % 100; ++i)
    n += i ^ v;
  o[T] = n;
}

__global__ void ballots(int *o) {
  int t = T, n = 0;
  unsigned m = __ballot_sync(~0u, (t * 7) % 5 < 2);
#pragma unroll 1
  while (m) {
    n += __shfl_sync(~0u, t, __ffs(m) - 1);
    m &= m - 1;
  }
  o[T] = n;
}

__global__ void locals(int *o) {
  int stack[32], n = 0, top = 0, t = T;
  stack[top++] = t & 31;
#pragma unroll 1
  while (top) {
    int v = stack[--top];
    ++n;
    if (v > 1) {
      stack[top++] = v / 2;
      stack[top++] = v / 3;
    }
  }
  o[T] = n;
}

__global__ void triangular(float *o, int n) {
  int t = T;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
#pragma unroll 1
    for (int j = i; j < n; j += 1 + (i & 3)) {
      if (((i * j) & 15) == 9)
        continue;
      s += i * j;
    }
  o[t] = s + t;
}

__global__ void binary(int *o, int n) {
  int t = T, lo = 0, hi = n, key = (t * 7919) % n, c = 0;
#pragma unroll 1
  while (lo < hi) {
    int m = (lo + hi) / 2;
    ++c;
    if (m < key)
      lo = m + 1;
    else
      hi = m;
  }
  o[t] = lo + c;
}

__global__ void machine(int *o) {
  int t = T, state = 0, n = 0, k = t & 15;
#pragma unroll 1
  while (state != 3) {
    if (state == 0) {
      k -= 1;
      state = k < 0 ? 2 : 1;
    } else if (state == 1) {
      ++n;
      state = n & 3 ? 1 : 0;
    } else {
      n += 5;
      state = n > 20 ? 3 : 2;
    }
  }
  o[T] = n;
}

__global__ void josephus(int *o) {
  int t = T, r = 0, n = 2 + (t % 50);
#pragma unroll 1
  for (int i = 2; i <= n; ++i)
    r = (r + 3) % i;
#pragma unroll 1
  for (int i = 0; i < r; ++i)
    n += i ^ t;
  o[T] = n;
}

__global__ void halving(float *o) {
  float x = 1.0f + T;
  int n = 0;
#pragma unroll 1
  while (x > 0.001f) {
    x *= 0.7f;
    ++n;
  }
  o[T] = n;
}

__global__ void newton(int *o) {
  int a = 1 + T, x = a, p = 0, n = 0;
#pragma unroll 1
  while (x != p && n < 40) {
    p = x;
    x = (x + a / x) / 2;
    ++n;
  }
  o[T] = n + x;
}

__global__ void moving(int *o, int n) {
  int t = T, s = 0, hi = n;
#pragma unroll 1
  for (int i = 1; i < hi; ++i) {
#pragma unroll 1
    for (int j = i; j < n; j += i) {
      if ((j * 7 + t) % 11 == 0)
        break;
      ++s;
    }
    if (s > 200 && hi == n)
      hi = i + 3;
  }
  o[T] = s;
}

__global__ void fenwick(int *o, int n) {
  int s = 0;
#pragma unroll 1
  for (int i = T + 1; i <= n; i += i & -i)
    s += i;
#pragma unroll 1
  for (int i = T + 1; i > 0; i &= i - 1)
    s ^= i;
  o[T] = s;
}

__global__ void early(int *o, int n) {
  int t = T, s = 0;
  if (t >= n)
    return;
#pragma unroll 1
  for (int i = 0; i < 50; ++i) {
    s += i * t;
    if (i == (t & 31)) {
      o[t] = s;
      return;
    }
#pragma unroll 1
    for (int j = 0; j < (i & 3); ++j)
      s ^= j;
  }
  o[t] = -s;
}

__global__ void subtract(int *o) {
  int a = T + 3, b = 36;
#pragma unroll 1
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
  }
  o[T] = a;
}

__global__ void lists(int *o) {
  __shared__ int next[64];
  int t = threadIdx.x, n = 0;
  next[t] = (t * 5 + 1) % 64 > t ? (t * 5 + 1) % 64 : -1;
  __syncthreads();
#pragma unroll 1
  for (int i = t; i >= 0; i = next[i])
    ++n;
  o[T] = n;
}

__global__ void cycles(int *o) {
  __shared__ int p[64];
  int t = threadIdx.x, n = 0, i = t;
  p[t] = (t * 27 + 5) % 64;
  __syncthreads();
#pragma unroll 1
  do {
    i = p[i];
    ++n;
  } while (i != t);
  o[T] = n;
}

__global__ void insertion(int *o) {
  int a[16], t = T;
#pragma unroll 1
  for (int i = 0; i < 16; ++i)
    a[i] = (i * 7 + t * 3) & 15;
#pragma unroll 1
  for (int i = 1; i < 16; ++i) {
    int v = a[i], j = i - 1;
#pragma unroll 1
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = v;
  }
  o[t] = a[t & 15];
}

__global__ void shorts(int *o) {
  int n = 0;
  unsigned char c = (unsigned char)T;
#pragma unroll 1
  do {
    c += 7;
    ++n;
  } while (c > 6);
  short h = (short)(T * 300);
#pragma unroll 1
  while (h > 0) {
    h += 500;
    ++n;
  }
  o[T] = n;
}

__global__ void downward(int *o, unsigned n) {
  int s = 0;
#pragma unroll 1
  for (unsigned i = n - 1 - (T & 3); i < n; i -= 3)
    s += i;
  o[T] = s;
}

__global__ void tiles(float *o, int n) {
  float s = 0;
#pragma unroll 1
  for (int b = blockIdx.x; b <= blockIdx.x * 2 && b * 64 < n; ++b)
#pragma unroll 1
    for (int i = b * 64 + threadIdx.x; i < min(n, b * 64 + 64); i += 16)
      s += i;
  o[T] = s;
}

__global__ void floyd(int *o) {
  unsigned t = T, slow = t % 101, fast = t % 101, n = 0;
#pragma unroll 1
  do {
    slow = (slow * slow + 1) % 101;
    fast = (fast * fast + 1) % 101;
    fast = (fast * fast + 1) % 101;
    ++n;
  } while (slow != fast);
  o[T] = n;
}

__global__ void ranges(int *o, int n) {
  int blocks = gridDim.x, per = (n + blocks - 1) / blocks,
      lo = blockIdx.x * per, hi = min(n, lo + per), s = 0;
#pragma unroll 1
  for (int i = lo + threadIdx.x; i < hi; i += blockDim.x)
#pragma unroll 1
    for (int j = 0; j < i % 7; ++j)
      s += i ^ j;
  o[T] = s;
}

__global__ void twoexits(int *o, int n) {
  int t = T, s = 0;
#pragma unroll 1
  for (int i = 0; i < n && i * i < t; ++i) {
    s += i;
    if (i == 5 && (t & 1))
      break;
  }
  o[t] = s;
}

__global__ void steps(int *o, int n) {
  int s = 0, d = 1;
#pragma unroll 1
  for (int i = T & 7; i < n; i += d) {
    s += i;
    d = d * 3 / 2 + 1;
    if (d > 40)
      d = 1;
  }
  o[T] = s;
}

__global__ void minmax(float *o, int n) {
  int t = T & 31;
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
#pragma unroll 1
    for (int j = max(0, i - t); j <= min(n - 1, i + t); ++j)
      s += i * j;
  o[T] = s;
}
}
