#!/bin/bash
# Builds every exhibit with nvcc, before and after, and times both: NAME,before,after.
# Needs a GPU. Microseconds a launch, or the error of a launch that fails.
cd "$(dirname "$0")" || exit 1
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
arch=${ARCH:-sm_90}
out=${OUT:-.}/museum
mkdir -p "$out/bin"
export nvcc arch out

build() {
  name=$(basename "$1" .cu)
  "$nvcc" -O3 -arch="$arch" -DEXHIBIT="\"$name.cu\"" $2 -Xptxas -v -o "/tmp/museum-$name$2" \
    driver.cu 2> "$out/bin/$name$2.log" || echo "$name$2 does not compile" >&2
}
export -f build
ls *.cu | grep -v driver.cu | sed 's/.*/&\n& -DAFTER/' |
  xargs -P "$(nproc)" -d '\n' -I{} bash -c 'build {}'

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv > "$out/device.txt"
"$nvcc" --version >> "$out/device.txt"
date -I >> "$out/device.txt"
echo name,before,after | tee "$out/times.csv"
for file in *.cu; do
  name=${file%.cu}
  [ "$name" = driver ] && continue
  before=$(timeout 10 "/tmp/museum-$name" || echo failed)
  after=$(timeout 10 "/tmp/museum-$name-DAFTER" || echo failed)
  echo "$name,$before,$after" | tee -a "$out/times.csv"
done
