//===- particles.cu - An array of structures -------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinetic energy of particles of seven floats, of which four are read.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

struct Particle {
  float X, Y, Z, U, V, W, Mass;
};

__global__ void naive(float *energy, const Particle *particles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u = particles[i].U, v = particles[i].V, w = particles[i].W;
  energy[i] = 0.5f * particles[i].Mass * (u * u + v * v + w * w);
}

__global__ void fixed(float *energy, const float *us, const float *vs,
                      const float *ws, const float *masses) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u = us[i], v = vs[i], w = ws[i];
  energy[i] = 0.5f * masses[i] * (u * u + v * v + w * w);
}

int main() {
  int count = 1 << 24;
  std::vector<float> values = noise(count);
  std::vector<Particle> particles(count);
  for (int i = 0; i < count; ++i)
    particles[i] = {0, 0, 0, values[i], values[i], values[i], values[i]};
  DeviceArray<Particle> deviceParticles(particles);
  DeviceArray<float> us(values), vs(values), ws(values), masses(values);
  DeviceArray<float> naiveEnergy(count), fixedEnergy(count);
  Pair pair("particles");
  while (pair.next("naive"))
    naive<<<count / 256, 256>>>(naiveEnergy, deviceParticles);
  while (pair.next("fixed"))
    fixed<<<count / 256, 256>>>(fixedEnergy, us, vs, ws, masses);
  return compare(naiveEnergy.toHost(), fixedEnergy.toHost());
}
