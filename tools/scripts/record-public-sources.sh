#!/usr/bin/env bash
# Makes test/record/public-sources-*.json: the plugin over checkouts of public
# CUDA code, all of it at -O3 and each tenth source with other options. A record
# that an interrupt left is completed.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/scripts/record-public-sources.sh FOLDER... [-- OPTION...]
#        FOLDER is a checkout; OPTIONs go to run-on-sources.py (--jobs=8)
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

places=()
while (($#)) && [[ $1 != -- ]]; do
  places+=("$1")
  shift
done
(($#)) && shift
if ((${#places[@]} == 0)); then
  sed -n 's/^# \(Usage.*\|       FOLDER.*\)/\1/p' "$0" >&2
  exit 2
fi

# CUDA 13 no longer has the one; OpenMP's header lies in GCC's folder.
clang_arguments=(-DcudaThreadSynchronize=cudaDeviceSynchronize
                 -idirafter "$(dirname "$(gcc -print-file-name=include/omp.h)")")
status=0

# run NAME [OPTION OF THE RUNNER...] [-- OPTION OF CLANG...]
run() {
  local name=$1 runner=() clang=()
  shift
  while (($#)) && [[ $1 != -- ]]; do
    runner+=("$1")
    shift
  done
  (($#)) && clang=("${@:2}")
  echo "== $name"
  "$root/tools/scripts/run-on-sources.py" "${places[@]}" --skip='*-hip/*' --nice=15 --resume \
    --json="$root/test/record/public-sources-$name.json" "${runner[@]}" "${options[@]}" \
    -- "${clang_arguments[@]}" "${clang[@]}" || status=1
}

options=("$@")
run O3
run O0 --every=10 --level=0
run O1 --every=10 --level=1
run Os --every=10 --level=s
run g --every=10 -- -g
# Without an id of ours, clang makes one of the command line, the plugin's options
# among it, and puts it into the names of static symbols.
run rdc --every=10 -- -fgpu-rdc -cuid=0
run two-architectures --every=10 --arch=sm_80 --arch=sm_90
run cxx20 --every=10 -- -std=c++20
exit "$status"
