//===- ConfigKeys.cpp - What a configuration can say ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/ConfigKeys.h"

using namespace gpuocc;
using namespace llvm;

static constexpr ConfigKey Keys[] = {
    {"", "version", "version of the format: 1"},
    {"", "device", "a built-in device, or the path of a database"},
    {"", "default_block", "block of kernels whose launch is not known"},
    {"", "launches", "a list of launches"},
    {"", "gate", "what check judges single kernels by"},
    {"", "findings", "which findings are shown"},
    {"launches", "kernel", "a name, a mangled name, or /a pattern/"},
    {"launches", "grid", "blocks along x, y, z: [256, 1, 1]"},
    {"launches", "block", "threads along x, y, z: [32, 8, 1]"},
    {"launches", "cluster", "blocks of a cluster along x, y, z"},
    {"launches", "dynamic_shared_bytes", "third parameter of the launch"},
    {"launches", "carveout_percent", "preferred shared part of L1: 0 to 100"},
    {"launches", "arguments", "scalar arguments: {n: 1024}"},
    {"launches", "structs", "structs passed by value, in hexadecimal digits"},
    {"launches", "memory", "files with what arrays hold: {in: in.bin}"},
    {"launches", "array_bytes", "bytes of arrays: {bins: 1024}"},
    {"launches", "host_memory", "pointers to memory of the host: [in, out]"},
    {"launches", "trip_counts", "iterations of loops: {\"k.cu:12\": 8}"},
    {"launches", "places", "words that indices choose from: {\"k.cu:9\": 64}"},
    {"launches", "odds", "share of the lanes that go on: {\"k.cu:7\": 0.3}"},
    {"gate", "kernel", "a name, a mangled name, or /a pattern/"},
    {"gate", "fail_on", "criteria that hold for it too: [\"registers:+8\"]"},
    {"gate", "allow", "criteria that do not hold for it: [slowdown]"},
    {"gate", "until", "the last day of allow: 2026-03-01"},
    {"gate", "reason", "why it is allowed"},
    {"findings", "minimum_gain", "least predicted speed-up that is shown"},
    {"findings", "suppress", "findings that are not shown"},
    {"findings", "rules", "options of single findings"},
    {"rules", "minimum_gain", "least predicted speed-up that is shown"},
};

ArrayRef<ConfigKey> gpuocc::configKeys() { return Keys; }
