//===- text.cu - Text, codes and checksums ---------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__constant__ char alphabet[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__device__ unsigned crcTable[256];

__global__ void makeCrcTable() {
  unsigned c = threadIdx.x;
  for (int k = 0; k < 8; ++k)
    c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
  crcTable[threadIdx.x] = c;
}

__global__ void crcOfRecords(const unsigned char *in, int length,
                             unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned c = ~0u;
  for (int k = 0; k < length; ++k)
    c = crcTable[(c ^ in[i * length + k]) & 255] ^ (c >> 8);
  out[i] = ~c;
}

__global__ void base64(const unsigned char *in, char *out, int triples) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= triples)
    return;
  unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  for (int k = 0; k < 4; ++k)
    out[4 * i + k] = alphabet[v >> (18 - 6 * k) & 63];
}

__global__ void countWords(const char *text, int n, int *words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool starts = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  int c = __syncthreads_count(starts);
  if (threadIdx.x == 0)
    atomicAdd(words, c);
}

__global__ void parseNumbers(const char *text, const int *start, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char *p = text + start[i];
  float v = 0, scale = 1;
  bool fraction = false;
  for (; *p != ','; ++p) {
    if (*p == '.') {
      fraction = true;
    } else {
      v = v * 10 + (*p - '0');
      if (fraction)
        scale *= 10;
    }
  }
  out[i] = v / scale;
}

__device__ unsigned rotated(unsigned x, int by) {
  return x >> by | x << (32 - by);
}

__global__ void shaRounds(const unsigned *in, unsigned *out, int blocksEach) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int b = 0; b < blocksEach; ++b) {
    unsigned w[16];
    for (int k = 0; k < 16; ++k)
      w[k] = in[(i * blocksEach + b) * 16 + k];
    unsigned s[8];
    for (int k = 0; k < 8; ++k)
      s[k] = h[k];
#pragma unroll
    for (int r = 0; r < 64; ++r) {
      if (r >= 16) {
        unsigned a = w[(r + 1) & 15], c = w[(r + 14) & 15];
        w[r & 15] += (rotated(a, 7) ^ rotated(a, 18) ^ (a >> 3)) +
                     w[(r + 9) & 15] +
                     (rotated(c, 17) ^ rotated(c, 19) ^ (c >> 10));
      }
      unsigned t1 =
          s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
          ((s[4] & s[5]) ^ (~s[4] & s[6])) + 0x428a2f98u * (r + 1) + w[r & 15];
      unsigned t2 = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      s[7] = s[6];
      s[6] = s[5];
      s[5] = s[4];
      s[4] = s[3] + t1;
      s[3] = s[2];
      s[2] = s[1];
      s[1] = s[0];
      s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; ++k)
      h[k] += s[k];
  }
  for (int k = 0; k < 8; ++k)
    out[k * gridDim.x * blockDim.x + i] = h[k];
}

__global__ void editPerThread(const char *a, const char *b, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  unsigned char row[33];
  for (int k = 0; k <= 32; ++k)
    row[k] = k;
  for (int r = 0; r < 32; ++r) {
    char c = a[r * all + i];
    int corner = row[0];
    row[0] = r + 1;
    for (int k = 0; k < 32; ++k) {
      int v = min(min(row[k], row[k + 1]) + 1, corner + (c != b[k]));
      corner = row[k + 1];
      row[k + 1] = v;
    }
  }
  out[i] = row[32];
}

__global__ void longestMatch(const unsigned char *in, int n, int window,
                             unsigned short *best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int longest = 0;
  for (int back = 1; back <= window && back <= i; ++back) {
    int k = 0;
    while (k < 16 && i + k < n && in[i + k] == in[i + k - back])
      ++k;
    longest = max(longest, k);
  }
  best[i] = longest;
}

__global__ void decodeSymbols(const unsigned *bits,
                              const unsigned char *lengthOf,
                              const unsigned char *symbolOf, unsigned char *out,
                              int words, int symbols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned *p = bits + i * words;
  unsigned long long held = 0;
  int have = 0, next = 0;
  for (int k = 0; k < symbols; ++k) {
    if (have < 16 && next < words) {
      held |= (unsigned long long)p[next++] << have;
      have += 32;
    }
    unsigned at = held & 255;
    out[k * gridDim.x * blockDim.x + i] = symbolOf[at];
    held >>= lengthOf[at];
    have -= lengthOf[at];
  }
}

__global__ void trieLookup(const short (*trie)[26], const char *words,
                           int width, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int node = 0, depth = 0;
  for (; depth < width; ++depth) {
    int next = trie[node][words[i * width + depth] - 'a'];
    if (next < 0)
      break;
    node = next;
  }
  found[i] = depth;
}

int main() {
  const int n = 1 << 20;
  unsigned char *in = (unsigned char *)numbers(n, ~0u);
  unsigned *out = cleared<unsigned>(2 * n);
  makeCrcTable<<<1, 256>>>();
  crcOfRecords<<<n / 64 / 128, 128>>>(in, 200, out);
  base64<<<n / 256, 256>>>(in, (char *)out, n);
  std::vector<char> text(4 * n);
  for (char &c : text)
    c = drawn() % 6 ? 'a' + drawn() % 26 : ' ';
  char *t = uploaded(text);
  countWords<<<4 * n / 512, 512>>>(t, 4 * n, (int *)out);
  std::vector<char> fields;
  std::vector<int> start(n / 8);
  for (int &s : start) {
    s = fields.size();
    for (int k = 1 + drawn() % 4; k > 0; --k)
      fields.push_back('0' + drawn() % 10);
    if (drawn() % 2) {
      fields.push_back('.');
      fields.push_back('5');
    }
    fields.push_back(',');
  }
  parseNumbers<<<n / 8 / 128, 128>>>(uploaded(fields), uploaded(start),
                                     (float *)out);
  shaRounds<<<n / 32 / 128, 128>>>((unsigned *)in, out, 2);
  editPerThread<<<n / 32 / 128, 128>>>(t, t + n, (int *)out);
  longestMatch<<<n / 8 / 128, 128>>>((unsigned char *)t, n / 8, 64,
                                     (unsigned short *)out);
  std::vector<unsigned char> length(256), symbol(256);
  for (int k = 0; k < 256; ++k) {
    length[k] = 2 + k % 7;
    symbol[k] = drawn();
  }
  decodeSymbols<<<n / 32 / 128, 128>>>((unsigned *)in, uploaded(length),
                                       uploaded(symbol), (unsigned char *)out,
                                       16, 60);
  std::vector<short> trie(26 * 2000, -1);
  for (int k = 0; k < 26 * 70; ++k)
    trie[k] = k < 26 * 3 ? 1 + k % 1900
                         : (drawn() % 3 ? (short)(1 + drawn() % 1990) : -1);
  std::vector<char> words(n);
  for (char &c : words)
    c = 'a' + drawn() % 26;
  trieLookup<<<n / 8 / 128, 128>>>((const short (*)[26])uploaded(trie),
                                   uploaded(words), 8, (int *)out);
  return finished("text");
}
