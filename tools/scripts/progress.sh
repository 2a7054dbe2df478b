# Builds and says how far it is; sourced by the scripts beside it.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Seconds between two lines where standard output is no terminal.
progress_seconds=${GPUOCC_PROGRESS_SECONDS:-20}

# tell_progress LOG: files done and the time that is left, by the last line of
# Ninja in LOG ("@done all seconds@ ...").
tell_progress() {
  local last finished total seconds
  last=$(grep -ao '^@[0-9]* [0-9]* [0-9.]*@' "$1" | tail -n 1) || true
  [ -n "$last" ] || { echo "   begins"; return; }
  read -r finished total seconds <<<"${last//@/}"
  echo "   $finished of $total files, about $(((total - finished) * ${seconds%.*} / (finished + 1) / 60 + 1)) min left"
}

# build ARGUMENT...: cmake --build build ARGUMENT... Ninja shows its progress at
# a terminal; elsewhere there is a line now and then, and what programs said.
build() {
  if [ -t 1 ]; then
    cmake --build build "$@"
    return
  fi
  local log=build/progress.log waited=0 status=0
  NINJA_STATUS='@%f %t %e@ ' cmake --build build "$@" >"$log" 2>&1 &
  local builder=$!
  while kill -0 "$builder" 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    [ $((waited % progress_seconds)) -ne 0 ] || tell_progress "$log"
  done
  wait "$builder" || status=$?
  grep -av '^@' "$log" || true
  return "$status"
}

# why_skipped OUTPUT LOG: a line for each test that ctest, which printed OUTPUT,
# skipped, with the last line that the test printed, by LOG
# (build/Testing/Temporary/LastTest.log), and for each that a unit test skipped.
why_skipped() {
  awk '
    FNR == NR { if (/ \(Skipped\)$/) skipped[$3] = 1; next }
    /^[0-9]+\/[0-9]+ Testing: / { name = $3; said = "it does not say why"; inside = 0 }
    /^<end of output>$/ {
      inside = 0
      if (name in skipped) print "   skipped: " name ": " said
    }
    inside && /^\[  SKIPPED \] .* ms\)$/ { print "   skipped: " $4 ": " said }
    inside && NF && !/^-+$/ { said = $0 }
    /^Output:$/ { inside = 1 }
  ' "$1" "$2"
}
