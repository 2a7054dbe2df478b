"""How lit runs the tests of this folder.

Substitutions
  %plugin         the pass plugin
  %built-libraries  the folder of all plugins
  %gpu-occupancy  the command
  %calibrate      the calibration tool
  %accuracy       the command that compares with measurements
  %standin        folder of a libcuda.so.1 without a GPU
  %ptxas          the assembler; needs `ptxas`
  %chromium       the browser; needs `chromium`
  %clang_shim     device code to PTX on a machine without a CUDA toolkit
  %clang_toolkit  the same with the toolkit's headers; needs `cuda-toolkit`
  %clang_object   host and devices to an object with the toolkit; needs `ptxas`
                  and `cuda-toolkit`
  %clang_cuda     the one of the two that a user of this machine would get
  %clang_bare     the compiler without options
  %clang_own      checks a source of this project
  %libclc         the functions of OpenCL C; needs `libclc`
  %opt            opt with the plugin loaded
  %mlir-opt       mlir-opt with the plugin of MLIR loaded; needs `mlir`
  %mlir-plugin    the plugin of MLIR; needs `mlir`
  %remarks        options that load the plugin into clang and print its remarks
  %examples       the folder of the bundled examples
  %each-of-the-examples  those that compile here, one after the other
  %scripts        the folder of the scripts
  %validate       checks a JSON file: %validate SCHEMA FILE
  %golden         the folder of what is kept to compare with
  %docs           the folder of the documentation
  %python         the interpreter that runs lit

Features
  cuda-toolkit    headers of a CUDA toolkit were found
  ptxas           an assembler was found
  nvdisasm        a disassembler was found
  nvcc            a compiler of the toolkit was found
  libclc          the functions of OpenCL C were found
  mlir            the build has the plugin of MLIR, and mlir-opt was found
  chromium        a browser was found that shows pages without a screen
  charts          the build put Chart.js into the HTML page
  git             git was found
  bubblewrap      bwrap was found and can make a sandbox here
"""

import glob
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "gpu-occupancy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cu", ".ll", ".cpp", ".mlir"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)


def find_toolkit():
    """The rule of gpuocc/Support/CudaToolkit.h: (root, ptxas), None if absent."""
    def is_root(folder):
        return os.path.exists(
            os.path.join(folder, "include/cuda_runtime.h")
        ) and os.path.isdir(os.path.join(folder, "nvvm/libdevice"))

    roots = [os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    root = next((r for r in roots if r and is_root(r)), None)
    own = os.path.join(root, "bin", "ptxas") if root else None
    ptxas = own if own and os.access(own, os.X_OK) else shutil.which("ptxas")
    if not root and ptxas:
        above = os.path.dirname(os.path.dirname(ptxas))
        root = above if is_root(above) else None
    return root, ptxas


def tool(name):
    return os.path.join(config.llvm_tools_dir, name)


plugin = os.path.join(config.build_dir, "lib", "GpuOccupancy.so")
llvm_headers = os.path.join(os.path.dirname(config.llvm_tools_dir), "include")
shim = os.path.join(
    config.build_dir, "share", "gpu-occupancy", "cuda-shim", "gpuocc-cuda-shim.cfg"
)
device = "-x cuda --cuda-gpu-arch=sm_90 --cuda-device-only -S -O3"
clang_shim = f"{tool('clang++')} --config={shim} {device}"

root, ptxas = find_toolkit()

# Clang 22 warns about toolkits that are newer than it.
clang_toolkit = (
    f"{tool('clang++')} --cuda-path={root} -Wno-unknown-cuda-version {device}"
)
if root:
    config.available_features.add("cuda-toolkit")
    config.environment["CUDA_PATH"] = root
if root and os.access(os.path.join(root, "bin", "nvcc"), os.X_OK):
    config.available_features.add("nvcc")
# Tests say clang's code, which every machine has, unless they ask for nvcc's.
config.environment["GPU_OCCUPANCY_CODE"] = "clang"
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if shutil.which(os.path.join(root or "", "bin", "nvdisasm")) or shutil.which("nvdisasm"):
    config.available_features.add("nvdisasm")
chromium = shutil.which("chromium") or shutil.which("chromium-browser")
if chromium:
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", chromium))
if config.chart_js and not config.chart_js.endswith("NOTFOUND"):
    config.available_features.add("charts")

libclc = [path for folder in ("/usr/lib/clc", "/usr/share/clc", "/usr/local/share/clc")
          if os.path.exists(path := os.path.join(folder, "nvptx64--nvidiacl.bc"))]
if libclc:
    config.available_features.add("libclc")
    config.substitutions.append(("%libclc", libclc[0]))

mlir_plugin = os.path.join(config.build_dir, "lib", "GpuOccupancyMLIR.so")
if os.path.exists(mlir_plugin) and os.access(tool("mlir-opt"), os.X_OK):
    config.available_features.add("mlir")
else:
    lit_config.note("tests of MLIR are skipped: libmlir-22-dev or mlir-22-tools is missing")

bwrap = shutil.which("bwrap")
if bwrap and subprocess.run(
    [bwrap, "--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev", "true"],
    stderr=subprocess.DEVNULL,
).returncode == 0:
    config.available_features.add("bubblewrap")
if shutil.which("git"):
    config.available_features.add("git")

# Examples that this machine's headers suffice for.
examples_dir = os.path.join(config.source_dir, "docs", "examples")
sys.path.insert(0, config.test_source_root)
from each_example import needs_toolkit

usable_examples = [
    path
    for path in sorted(glob.glob(os.path.join(examples_dir, "*.cu")))
    if root or not needs_toolkit(path)
]

# FileCheck, not and split-file by their plain names.
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.environment["PATH"]]
)

config.substitutions += [
    ("%plugin", plugin),
    ("%built-libraries", os.path.join(config.build_dir, "lib")),
    ("%gpu-occupancy", os.path.join(config.build_dir, "bin", "gpu-occupancy")),
    (
        "%calibrate",
        os.path.join(config.build_dir, "bin", "gpu-occupancy-calibrate"),
    ),
    (
        "%accuracy",
        os.path.join(config.build_dir, "bin", "gpu-occupancy-accuracy"),
    ),
    ("%standin", os.path.join(config.build_dir, "test", "standin")),
    ("%clang_shim", clang_shim),
    ("%clang_toolkit", clang_toolkit),
    (
        "%clang_object",
        f"{tool('clang++')} -x cuda --cuda-path={root} -Wno-unknown-cuda-version -O3 -c",
    ),
    ("%clang_cuda", clang_toolkit if root else clang_shim),
    ("%clang_bare", tool("clang++")),
    ("%clang_own", f"{tool('clang++')} -std=c++20 -fsyntax-only -isystem {llvm_headers}"),
    ("%opt", f"{tool('opt')} -load-pass-plugin={plugin}"),
    ("%mlir-plugin", mlir_plugin),
    ("%mlir-opt", f"{tool('mlir-opt')} --load-pass-plugin={mlir_plugin}"),
    ("%remarks", f"-fpass-plugin={plugin} -Rpass=gpu-occupancy"),
    ("%scripts", os.path.join(config.source_dir, "tools", "scripts")),
    ("%each-of-the-examples", " ".join(usable_examples)),
    ("%examples", os.path.join(config.source_dir, "docs", "examples")),
    (
        "%validate",
        f"{sys.executable} {os.path.join(config.test_source_root, 'validate.py')}",
    ),
    ("%golden", os.path.join(config.source_dir, "test", "golden")),
    ("%docs", os.path.join(config.source_dir, "docs")),
    ("%python", sys.executable),
]
