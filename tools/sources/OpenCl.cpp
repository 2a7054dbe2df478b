//===- OpenCl.cpp - What OpenCL C takes beyond CUDA -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenCl.h"
#include "Compiler.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

/// Where Debian, other distributions and builds of one's own put libclc.
static constexpr StringLiteral LibclcFolders[] = {
    "/usr/lib/clc", "/usr/share/clc", "/usr/local/share/clc"};
static constexpr StringLiteral LibclcFile = "nvptx64--nvidiacl.bc";
/// Below the root of a toolkit.
static constexpr StringLiteral DeviceLibrary = "nvvm/libdevice/libdevice.10.bc";

bool gpuocc::isOpenCl(StringRef File) {
  return sys::path::extension(File) == ".cl";
}

static std::string inFolder(StringRef Folder, StringRef File) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, File);
  return sys::fs::exists(Path) ? Path.str().str() : std::string();
}

static std::string findLibclc() {
  for (StringRef Folder : LibclcFolders)
    if (std::string Path = inFolder(Folder, LibclcFile); !Path.empty())
      return Path;
  return "";
}

Expected<std::vector<std::string>>
gpuocc::openClOptions(StringRef Architecture) {
  const std::string Libclc = findLibclc();
  if (Libclc.empty())
    return createStringError("OpenCL C needs " + LibclcFile +
                             " of libclc in /usr/lib/clc; install libclc-22");
  std::vector<std::string> Options = {"-x", "cl", "-cl-std=CL2.0",
                                      "--target=nvptx64-nvidia-cuda",
                                      ("-march=" + Architecture).str(),
                                      // libclc is for another system.
                                      "-Wno-linker-warnings"};
  auto Link = [&](const std::string &Library) {
    Options.insert(Options.end(),
                   {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", Library});
  };
  Link(Libclc);
  if (const std::string Root = toolkitOfHeaders(); !Root.empty())
    if (std::string Library = inFolder(Root, DeviceLibrary); !Library.empty())
      Link(Library);
  return Options;
}
