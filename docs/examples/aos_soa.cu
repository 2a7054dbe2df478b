//===- aos_soa.cu - Array of structures, structure of arrays ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves particles along. With seven floats a particle, lanes of a warp are 28
// bytes apart in an array of structures: each request touches 28 sectors. In a
// structure of arrays they are neighbours: 4.
//
// Usage: aos_soa [particles]
//
//===----------------------------------------------------------------------===//

#include "example.h"

struct Particle {
  float x, y, z, vx, vy, vz, mass;
};

struct Particles {
  float *x, *y, *z, *vx, *vy, *vz;
};

__global__ void advanceAos(Particle *particles, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle &p = particles[i];
  p.x += dt * p.vx;
  p.y += dt * p.vy;
  p.z += dt * p.vz;
}

__global__ void advanceSoa(Particles p, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  p.x[i] += dt * p.vx[i];
  p.y[i] += dt * p.vy[i];
  p.z[i] += dt * p.vz[i];
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 22);
  float dt = 0.5f;
  Particle start = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f};
  bool right = true;

  DeviceArray<Particle> aos(std::vector<Particle>(n, start));
  advanceAos<<<(n + 255) / 256, 256>>>(aos, dt, n);
  finish("advanceAos");
  for (const Particle &p : aos.toHost())
    right &= p.x == 3.0f && p.y == 4.5f && p.z == 6.0f && p.mass == 7.0f;
  verdict("advanceAos", right);

  DeviceArray<float> x(std::vector<float>(n, start.x)),
      y(std::vector<float>(n, start.y)), z(std::vector<float>(n, start.z)),
      vx(std::vector<float>(n, start.vx)), vy(std::vector<float>(n, start.vy)),
      vz(std::vector<float>(n, start.vz));
  advanceSoa<<<(n + 255) / 256, 256>>>({x, y, z, vx, vy, vz}, dt, n);
  finish("advanceSoa");
  bool soaRight = x.toHost() == std::vector<float>(n, 3.0f) &&
                  y.toHost() == std::vector<float>(n, 4.5f) &&
                  z.toHost() == std::vector<float>(n, 6.0f);
  verdict("advanceSoa", soaRight);
  return right && soaRight ? 0 : 1;
}
