// Keys that a block has sorted by their lowest byte go to where each byte's
// begin, and single keys go to a place of their own.
__global__ void storeRuns(const unsigned *keys, const int *begin,
                          unsigned *out) {
  unsigned key = keys[blockIdx.x * 256 + threadIdx.x];
  out[begin[key & 255] + threadIdx.x] = key;
}

__global__ void storeEach(const unsigned *keys, const int *place,
                          unsigned *out) {
  unsigned key = keys[blockIdx.x * 256 + threadIdx.x];
  out[place[key & 0xffff]] = key;
}
