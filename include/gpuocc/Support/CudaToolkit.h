//===- CudaToolkit.h - Where a CUDA toolkit is ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one rule by which every face decides whether there is a CUDA toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_CUDATOOLKIT_H
#define GPUOCC_SUPPORT_CUDATOOLKIT_H

#include <string>
#include <vector>

namespace gpuocc {

/// What of a CUDA toolkit was found; what was not is empty. The parts are
/// independent: a machine can have an assembler and no headers.
struct CudaToolkit {
  /// Folder that clang accepts as --cuda-path: it has the runtime's headers and
  /// the device library.
  std::string Root;
  /// The assembler, from PTX to machine code.
  std::string Ptxas;
  /// The disassembler of machine code.
  std::string Nvdisasm;
  /// The compiler.
  std::string Nvcc;
  /// What takes PTX and machine code out of objects and programs.
  std::string Cuobjdump;

  bool hasHeaders() const { return !Root.empty(); }
  bool hasPtxas() const { return !Ptxas.empty(); }
  bool hasNvdisasm() const { return !Nvdisasm.empty(); }
  bool hasNvcc() const { return !Nvcc.empty(); }
  bool hasCuobjdump() const { return !Cuobjdump.empty(); }
};

/// Where to look, in this order.
struct CudaToolkitPlaces {
  /// Folders that may be a toolkit's root; the first that is one counts.
  std::vector<std::string> Roots;
  /// Folders that may hold the programs, after the root's own bin.
  std::vector<std::string> ProgramFolders;

  /// CUDA_PATH, then /usr/local/cuda; the folders of PATH.
  static CudaToolkitPlaces ofThisMachine();
};

/// The toolkit at \p Places. A ptxas in PATH brings its own root into play
/// when no other was found: the folder above its bin.
CudaToolkit findCudaToolkit(const CudaToolkitPlaces &Places);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_CUDATOOLKIT_H
