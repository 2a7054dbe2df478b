//===- PackDevices.cpp - Makes the source of the embedded devices ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// pack-devices OUTPUT DEVICE.json... runs during the build.
///
//===----------------------------------------------------------------------===//

#include "PackDevice.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Prints \p Bytes as string literals, a line each: C++ promises 65,536
/// characters for one.
static void printLiterals(StringRef Bytes, raw_ostream &OS) {
  for (; !Bytes.empty();
       Bytes = Bytes.drop_front(std::min<size_t>(Bytes.size(), 1024))) {
    OS << '"';
    // Three octal digits end by themselves, whatever follows.
    for (unsigned char C : Bytes.take_front(1024))
      OS << '\\' << char('0' + C / 64) << char('0' + C / 8 % 8)
         << char('0' + C % 8);
    OS << "\"\n";
  }
}

static Expected<std::string> packed(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createFileError(Path, Text.getError());
  Expected<DeviceModel> Device = parseDeviceModel((*Text)->getBuffer(), Path);
  if (!Device)
    return Device.takeError();
  return packDevice(std::move(*Device));
}

static Error printSource(ArrayRef<char *> Paths, raw_ostream &OS) {
  OS << "// Made by pack-devices from lib/Device/data; do not edit.\n"
        "#include \"PackDevice.h\"\n\n";
  for (auto [Index, Path] : enumerate(Paths)) {
    Expected<std::string> Bytes = packed(Path);
    if (!Bytes)
      return Bytes.takeError();
    OS << "static constexpr char Device" << Index << "[] =\n";
    printLiterals(*Bytes, OS);
    OS << ";\n\n";
  }
  OS << "static constexpr llvm::StringRef Devices[] = {\n";
  for (size_t I = 0; I != Paths.size(); ++I)
    OS << "{Device" << I << ", sizeof(Device" << I << ") - 1},\n";
  OS << "};\n\nllvm::ArrayRef<llvm::StringRef> gpuocc::packedDevices() {\n"
        "  return Devices;\n}\n";
  return Error::success();
}

static Error writeSource(StringRef Output, ArrayRef<char *> Paths) {
  std::error_code EC;
  raw_fd_ostream OS(Output, EC);
  if (EC)
    return createFileError(Output, EC);
  if (Error E = printSource(Paths, OS))
    return E;
  OS.close();
  if (!OS.has_error())
    return Error::success();
  EC = OS.error();
  OS.clear_error();
  return createFileError(Output, EC);
}

int main(int Count, char **Words) {
  if (Count < 3) {
    errs() << "usage: pack-devices OUTPUT DEVICE.json...\n";
    return 2;
  }
  if (Error E = writeSource(Words[1], ArrayRef(Words + 2, Words + Count))) {
    errs() << "error: " << toString(std::move(E)) << '\n';
    return 1;
  }
  return 0;
}
