#!/usr/bin/env python3
"""Picks the best of several tiles of a transpose by what gpu-occupancy predicts.

Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Usage: pick_tile.py PLUGIN [--mlir-opt PROGRAM] [--device NAME] [-o FILE]

Writes one kernel for each tile, lets the pass gpu-occupancy give each its
attributes, prints them, and keeps the kernel with the least time: its module
goes to FILE, ready for the rest of a pipeline.
"""

import argparse
import re
import subprocess
import sys

SIZE = 4096
ROWS = 8
# Width of the tile, and elements that pad its rows.
TILES = [(8, 0), (16, 0), (32, 0), (32, 1)]

KERNEL = """
  gpu.func @transpose_{tile}_{pad}(%in: memref<{size}x{size}xf32>, %out: memref<{size}x{size}xf32>)
      workgroup(%tile: {shared})
      kernel attributes {{known_block_size = array<i32: {tile}, {rows}, 1>,
                         known_grid_size = array<i32: {grid}, {grid}, 1>}} {{
    %c0 = arith.constant 0 : index
    %step = arith.constant {rows} : index
    %width = arith.constant {tile} : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %bx, %width : index
    %y0 = arith.muli %by, %width : index
    %x = arith.addi %x0, %tx : index
    scf.for %j = %c0 to %width step %step {{
      %row = arith.addi %ty, %j : index
      %y = arith.addi %y0, %row : index
      %v = memref.load %in[%y, %x] : memref<{size}x{size}xf32>
      memref.store %v, %tile[%row, %tx] : {shared}
    }}
    gpu.barrier
    %xt = arith.addi %y0, %tx : index
    scf.for %j = %c0 to %width step %step {{
      %row = arith.addi %ty, %j : index
      %y = arith.addi %x0, %row : index
      %v = memref.load %tile[%tx, %row] : {shared}
      memref.store %v, %out[%y, %xt] : memref<{size}x{size}xf32>
    }}
    gpu.return
  }}
"""


def kernel(tile, pad):
    shared = f"memref<{tile}x{tile + pad}xf32, #gpu.address_space<workgroup>>"
    return KERNEL.format(tile=tile, pad=pad, shared=shared, size=SIZE, rows=ROWS,
                         grid=SIZE // tile)


def predict(module, arguments):
    """The module with attributes, as text."""
    done = subprocess.run(
        [arguments.mlir_opt, f"--load-pass-plugin={arguments.plugin}",
         f"--pass-pipeline=builtin.module(gpu-occupancy{{device={arguments.device} "
         "attributes=true remarks=none})"],
        input=module, capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        sys.exit(2)
    return done.stdout


def attribute(line, name):
    found = re.search(rf'gpu_occupancy\.{name} = "?([^,":]+)', line)
    return found.group(1).strip() if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plugin")
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--device", default="nvidia-h200")
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()

    module = "gpu.module @kernels {" + "".join(kernel(*t) for t in TILES) + "}\n"
    lines = [line for line in predict(module, arguments).splitlines() if "gpu.func @" in line]
    times = {}
    for (tile, pad), line in zip(TILES, lines):
        time = attribute(line, "time_us")
        if time is None:
            continue
        times[tile, pad] = float(time)
        print(f"tile {tile:2} padded by {pad}: {float(time):6.1f} us, bound by "
              f"{attribute(line, 'limiter')}, needs {float(attribute(line, 'needed_warps')):.0f} "
              f"warps, has {attribute(line, 'available_warps')}")
    if not times:
        print("error: no kernel has a time", file=sys.stderr)
        return 2
    best = min(times, key=times.get)
    print(f"best: tile {best[0]} padded by {best[1]}")
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write("gpu.module @kernels {" + kernel(*best) + "}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
