__kernel void scale(__global float *out, __global const float *in, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = sqrt(in[i]) * 2;
}
