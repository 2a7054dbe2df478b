//===- ReadInput.cpp - Files that others wrote ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/ReadInput.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/poll.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static Error tooLarge(uint64_t MostBytes) {
  return createStringError("it has more than " + Twine(MostBytes >> 20) +
                           " MiB, which no file of this kind has");
}

/// Reads what has no size, such as a pipe, up to its end.
static Expected<std::unique_ptr<MemoryBuffer>>
readStream(int Descriptor, StringRef Path, uint64_t MostBytes) {
  std::string Text;
  char Buffer[1 << 16];
  while (true) {
    const ssize_t Count = read(Descriptor, Buffer, sizeof(Buffer));
    if (Count < 0 && errno == EAGAIN) {
      // There is a writer, who is waited for.
      pollfd Ready = {Descriptor, POLLIN, 0};
      poll(&Ready, 1, /*timeout=*/-1);
      continue;
    }
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return errorCodeToError(errnoAsErrorCode());
    if (Count == 0)
      return MemoryBuffer::getMemBufferCopy(Text, Path);
    Text.append(Buffer, size_t(Count));
    if (Text.size() > MostBytes)
      return tooLarge(MostBytes);
  }
}

Expected<std::unique_ptr<MemoryBuffer>> gpuocc::readInput(StringRef Path,
                                                          uint64_t MostBytes) {
  const int Descriptor =
      open(Path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (Descriptor < 0)
    return errorCodeToError(errnoAsErrorCode());
  const scope_exit Close([&] { close(Descriptor); });
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Descriptor, Status))
    return errorCodeToError(EC);
  if (sys::fs::is_directory(Status))
    return errorCodeToError(make_error_code(errc::is_a_directory));
  if (!sys::fs::is_regular_file(Status))
    return readStream(Descriptor, Path, MostBytes);
  if (Status.getSize() > MostBytes)
    return tooLarge(MostBytes);
  // Not mapped: a file that becomes shorter would end the process.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getOpenFile(
      sys::fs::convertFDToNativeFile(Descriptor), Path, Status.getSize(),
      /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!Buffer)
    return errorCodeToError(Buffer.getError());
  return std::move(*Buffer);
}

Expected<json::Value> gpuocc::readJSONFile(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(Path);
  if (!Buffer)
    return createFileError(Path, Buffer.takeError());
  Expected<json::Value> Value = parseJSON((*Buffer)->getBuffer());
  if (!Value)
    return createFileError(Path, Value.takeError());
  return Value;
}
