# Installs what is missing of the named Debian packages; sourced by the scripts
# beside it. Nothing is installed or updated when nothing is missing.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# What the build needs, and what the tests need on top.
build_packages=(clang-22 lld-22 llvm-22-dev libclang-22-dev cmake ninja-build
                libjs-chart.js)
test_packages=(llvm-22-tools clang-format-22 python3 libgtest-dev libgmock-dev neovim git patch pre-commit
               emacs-nox elpa-eglot libclc-22 libmlir-22-dev mlir-22-tools
               libclang-rt-22-dev chromium)

die() {
  echo "error: $*" >&2
  exit 1
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

ensure_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die "this is no Debian system: install by hand what corresponds to: $*"

  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die "not root and no sudo: have an administrator run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "== installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq ||
    die "apt-get update failed: are the package sources reachable?"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install: ${missing[*]}"
}
