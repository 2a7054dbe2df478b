// Rows that recorded labels choose, as of an embedding's gradient. 32 rows of
// 256 words leave an SM fewer blocks, each of which waits for a label and then
// for a row: counted in shared memory, in turns, an H200 takes 82 us for 55
// (`embedgrad` of test/accuracy/cures). Four rows, on which all meet, gain.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import struct, sys; [open(sys.argv[1] + '/{}.bin'.format(n), 'wb').write(struct.pack('<65536i', *[(t * 2654435761 >> 16) & n - 1 for t in range(65536)])) for n in (4, 32)]" %t
// RUN: %python -c "import sys; [open(sys.argv[1] + '/{}.yaml'.format(n), 'w').write('launches: [dict]'.replace('dict', '{{kernel: rows, grid: 65536, block: 256, arguments: {{width: 256}}, array_bytes: {{grad: {}}}, memory: {{token: {}.bin}}}}'.format(1024 * n, n))) for n in (4, 32)]" %t
// RUN: %gpu-occupancy analyze %s --config=%t/4.yaml --device=nvidia-h200 --code=clang --cache=off | FileCheck --check-prefix=FOUR %s
// RUN: %gpu-occupancy analyze %s --config=%t/32.yaml --device=nvidia-h200 --code=clang --cache=off | FileCheck --check-prefix=MANY %s

// FOUR: {{[2-9](\.[0-9])?}}x {{.*}}AtomicRows.cu:[[@LINE+7]]:{{[0-9]+}}: all blocks of the grid meet on 1024 words {{.*}} count in shared memory, and update once
// MANY: 'rows' is bound by
// MANY-NOT: count in shared memory
__global__ void rows(float *grad, const int *token, const float *up,
                     int width) {
  int t = blockIdx.x;
  for (int c = threadIdx.x; c < width; c += blockDim.x)
    atomicAdd(&grad[token[t] * width + c], up[t * width + c]);
}
