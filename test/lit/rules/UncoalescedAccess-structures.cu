// Fields of neighbouring structures want a structure of arrays, where most of
// a structure is used also accesses of 16 bytes; numbers that lie apart do not.
// RUN: %gpu-occupancy analyze --code=clang --ptxas=off %s | FileCheck %s

struct Particle { float x, y, z, vx, vy, vz, mass; };
struct Body { float x, y, z, w, vx, vy, vz, vw; };

__global__ void particles(Particle *p, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].x += dt * p[i].vx;
  p[i].y += dt * p[i].vy;
}
// CHECK-LABEL: particles(Particle*, float)
// CHECK: store each field of the structures of 28 B in an array of its own (structure of arrays). Estimated gain: {{[0-9.]+}}x

__global__ void bodies(Body *p, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].x += dt * p[i].vx;
  p[i].z += dt * p[i].vz;
}
// CHECK-LABEL: bodies(Body*, float)
// CHECK: (structure of arrays), or move whole structures by accesses of 16 B (float4). Estimated gain: {{[0-9.]+}}x

__global__ void every8th(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[8 * i] + in[8 * i + 5];
}
// CHECK-LABEL: every8th(float*, float const*)
// CHECK-NOT: structure of arrays
// CHECK: let neighbouring lanes use neighbouring elements

void launch(Particle *p, Body *b, float *out, const float *in) {
  particles<<<65536, 256>>>(p, 0.5f);
  bodies<<<65536, 256>>>(b, 0.5f);
  every8th<<<65536, 256>>>(out, in);
}
