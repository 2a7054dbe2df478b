//===- WriteFence.cpp - Where a program may write -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/WriteFence.h"
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

// Headers of the C library are older than kernels: numbers and structures are
// those of linux/landlock.h of Linux 6.12.
namespace {

struct RulesetAttributes {
  uint64_t HandledFileAccess = 0;
  uint64_t HandledNetworkAccess = 0;
  uint64_t Scoped = 0;
};

struct [[gnu::packed]] PathBeneath {
  uint64_t AllowedAccess = 0;
  int32_t Parent = -1;
};

/// Bits of LANDLOCK_ACCESS_FS.
enum FileAccess : uint64_t {
  WriteFile = 1 << 1,
  RemoveFolder = 1 << 4,
  RemoveFile = 1 << 5,
  MakeCharacterDevice = 1 << 6,
  MakeFolder = 1 << 7,
  MakeFile = 1 << 8,
  MakeSocket = 1 << 9,
  MakeFifo = 1 << 10,
  MakeBlockDevice = 1 << 11,
  MakeLink = 1 << 12,
  /// From version 2 on.
  Refer = 1 << 13,
  /// From version 3 on.
  Truncate = 1 << 14,
};

/// What a rule for a single file can allow.
constexpr uint64_t OfFile = WriteFile | Truncate;
constexpr uint64_t OfFolder =
    OfFile | RemoveFolder | RemoveFile | MakeCharacterDevice | MakeFolder |
    MakeFile | MakeSocket | MakeFifo | MakeBlockDevice | MakeLink | Refer;

/// LANDLOCK_SCOPE_SIGNAL, from version 6 on.
constexpr uint64_t ScopeSignal = 1 << 1;

constexpr long CreateRuleset = 444, AddRule = 445, RestrictSelf = 446;
constexpr unsigned AskVersion = 1, PathBeneathRule = 1;

} // namespace

/// The version of the kernel's rules; 0 where it has none.
static long rulesVersion() {
  const long Version = syscall(CreateRuleset, nullptr, 0, AskVersion);
  return Version > 0 ? Version : 0;
}

/// Bits that the rules of \p Version know.
static uint64_t knownAccess(long Version) {
  uint64_t Access = OfFolder;
  if (Version < 3)
    Access &= ~uint64_t(Truncate);
  if (Version < 2)
    Access &= ~uint64_t(Refer);
  return Access;
}

/// Allows writing at \p Place. 0, or the number of an error.
static int allow(int Rules, const char *Place, uint64_t Known) {
  PathBeneath Rule;
  Rule.Parent = open(Place, O_PATH | O_CLOEXEC);
  if (Rule.Parent < 0)
    return errno;
  struct stat Status;
  const bool IsFolder =
      fstat(Rule.Parent, &Status) == 0 && S_ISDIR(Status.st_mode);
  Rule.AllowedAccess = (IsFolder ? OfFolder : OfFile) & Known;
  const long Result = syscall(AddRule, Rules, PathBeneathRule, &Rule, 0);
  const int Problem = Result == 0 ? 0 : errno;
  close(Rule.Parent);
  return Problem;
}

Expected<WriteFence> WriteFence::create(ArrayRef<std::string> Places) {
  WriteFence Fence;
  const long Version = rulesVersion();
  if (Version == 0)
    return std::move(Fence);
  RulesetAttributes Attributes;
  Attributes.HandledFileAccess = knownAccess(Version);
  size_t Bytes = sizeof(uint64_t);
  if (Version >= 6) {
    Attributes.Scoped = ScopeSignal;
    Bytes = sizeof(Attributes);
  }
  Fence.Rules = int(syscall(CreateRuleset, &Attributes, Bytes, 0));
  if (Fence.Rules < 0)
    return std::move(Fence);
  for (const char *Device : {"/dev/null", "/dev/zero", "/dev/full"})
    (void)allow(Fence.Rules, Device, Attributes.HandledFileAccess);
  for (const std::string &Place : Places)
    if (const int Problem =
            allow(Fence.Rules, Place.c_str(), Attributes.HandledFileAccess))
      return createStringError(
          std::error_code(Problem, std::generic_category()),
          "cannot let a program write in '" + Place + "'");
  return std::move(Fence);
}

WriteFence::~WriteFence() {
  if (Rules >= 0)
    close(Rules);
}

bool WriteFence::enter() const {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(RestrictSelf, Rules, 0) == 0;
}
