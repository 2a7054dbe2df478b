//===- CudaToolkit.cpp - Where a CUDA toolkit is --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/CudaToolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace gpuocc {

static SmallString<128> joined(StringRef Folder, const Twine &Rest) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Rest);
  return Path;
}

// What clang's driver needs of --cuda-path, plus the header that it includes
// first. A folder with bin/ptxas only is not one.
static bool isToolkitRoot(StringRef Folder) {
  return sys::fs::exists(joined(Folder, "include/cuda_runtime.h")) &&
         sys::fs::is_directory(joined(Folder, "nvvm/libdevice"));
}

static std::string programIn(StringRef Folder, StringRef Name) {
  SmallString<128> Program = joined(Folder, Name);
  return sys::fs::can_execute(Program) ? std::string(Program) : std::string();
}

CudaToolkitPlaces CudaToolkitPlaces::ofThisMachine() {
  CudaToolkitPlaces Places;
  if (auto Folder = sys::Process::GetEnv("CUDA_PATH");
      Folder && !Folder->empty())
    Places.Roots.push_back(*Folder);
  Places.Roots.push_back("/usr/local/cuda");

  std::string Path = sys::Process::GetEnv("PATH").value_or("");
  SmallVector<StringRef> Folders;
  StringRef(Path).split(Folders, sys::EnvPathSeparator, /*MaxSplit=*/-1,
                        /*KeepEmpty=*/false);
  for (StringRef Folder : Folders)
    Places.ProgramFolders.push_back(Folder.str());
  return Places;
}

CudaToolkit findCudaToolkit(const CudaToolkitPlaces &Places) {
  CudaToolkit Found;
  for (const std::string &Root : Places.Roots)
    if (isToolkitRoot(Root)) {
      Found.Root = Root;
      Found.Ptxas = programIn(joined(Root, "bin"), "ptxas");
      Found.Nvdisasm = programIn(joined(Root, "bin"), "nvdisasm");
      Found.Nvcc = programIn(joined(Root, "bin"), "nvcc");
      Found.Cuobjdump = programIn(joined(Root, "bin"), "cuobjdump");
      break;
    }

  for (const std::string &Folder : Places.ProgramFolders) {
    if (Found.hasPtxas())
      break;
    Found.Ptxas = programIn(Folder, "ptxas");
    StringRef Above = sys::path::parent_path(Folder);
    if (Found.hasPtxas() && !Found.hasHeaders() && isToolkitRoot(Above))
      Found.Root = Above.str();
  }
  for (const std::string &Folder : Places.ProgramFolders) {
    if (!Found.hasNvdisasm())
      Found.Nvdisasm = programIn(Folder, "nvdisasm");
    if (!Found.hasNvcc())
      Found.Nvcc = programIn(Folder, "nvcc");
    if (!Found.hasCuobjdump())
      Found.Cuobjdump = programIn(Folder, "cuobjdump");
  }
  return Found;
}

} // namespace gpuocc
