#!/usr/bin/env bash
# The step of action.yml: compares with the lock file, and says what changed in
# one comment of the pull request, which later runs edit.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   GATE_INPUTS, GATE_OPTIONS  words of the command line
#   GATE_LOCK                  the lock file
#   GATE_PULL_REQUEST          number; empty: no comment
#   GH_TOKEN                   of the program gh; empty: no comment
#   GITHUB_REPOSITORY          "owner/name"
set -euo pipefail

mark='<!-- gpu-occupancy lock -->'
comment=$(mktemp)
trap 'rm -f "$comment"' EXIT

read -ra inputs <<<"$GATE_INPUTS"
read -ra options <<<"${GATE_OPTIONS:-}"
status=0
{
  echo "$mark"
  gpu-occupancy lock --check -o "$GATE_LOCK" --format=markdown "${options[@]}" "${inputs[@]}"
} >"$comment" || status=$?
tail -n +2 "$comment"

if [ "$status" -lt 2 ] && [ -n "${GATE_PULL_REQUEST:-}" ] && [ -n "${GH_TOKEN:-}" ]; then
  comments="repos/$GITHUB_REPOSITORY/issues"
  earlier=$(gh api --paginate "$comments/$GATE_PULL_REQUEST/comments" \
    --jq ".[] | select(.body | startswith(\"$mark\")) | .id" | head -n 1)
  if [ -n "$earlier" ]; then
    gh api --silent -X PATCH "$comments/comments/$earlier" -F "body=@$comment"
  elif [ "$(wc -l <"$comment")" -gt 2 ]; then
    # Where nothing changed there is nothing to say.
    gh api --silent "$comments/$GATE_PULL_REQUEST/comments" -F "body=@$comment"
  fi
fi
exit "$status"
