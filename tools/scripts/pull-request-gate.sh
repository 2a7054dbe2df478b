#!/usr/bin/env bash
# The step of action.yml: compares with the lock file, and says what changed in
# one comment of the pull request, which later runs edit.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   GATE_INPUTS, GATE_OPTIONS  words of the command line
#   GATE_LOCK                  the lock file
#   GATE_SARIF                 where changes go that cost time; empty: nowhere
#   GATE_PULL_REQUEST          number; empty: no comment
#   GH_TOKEN                   of the program gh; empty: no comment
#   GITHUB_REPOSITORY          "owner/name"
#   GATE_AUTHOR                who comments (github-actions[bot])
#
# Ends with the status of the comparison, whether or not it could comment.
set -euo pipefail

mark='<!-- gpu-occupancy lock -->'
author=${GATE_AUTHOR:-github-actions[bot]}
# GitHub takes 65,536 characters.
longest=65000
comment=$(mktemp)
trap 'rm -f "$comment" "$comment.cut"' EXIT

read -ra inputs <<<"$GATE_INPUTS"
read -ra options <<<"${GATE_OPTIONS:-}"
if [ -n "${GATE_SARIF:-}" ]; then
  options+=("--also=sarif=$GATE_SARIF")
fi
status=0
{
  echo "$mark"
  gpu-occupancy lock --check -o "$GATE_LOCK" --format=markdown "${options[@]}" "${inputs[@]}"
} >"$comment" || status=$?
tail -n +2 "$comment"

# Of comments that begin so only those of the author of this step are edited: a
# stranger's could be rewritten by him afterwards.
post() {
  local comments="repos/$GITHUB_REPOSITORY/issues" earlier
  head -c "$longest" "$comment" >"$comment.cut"
  earlier=$(gh api --paginate "$comments/$GATE_PULL_REQUEST/comments" \
    --jq ".[] | select(.user.login == \"$author\") | select(.body | startswith(\"$mark\")) | .id" |
    head -n 1) || return 1
  if [ -n "$earlier" ]; then
    gh api --silent -X PATCH "$comments/comments/$earlier" -F "body=@$comment.cut"
  elif [ "$(wc -l <"$comment")" -gt 2 ]; then
    # Where nothing changed there is nothing to say.
    gh api --silent "$comments/$GATE_PULL_REQUEST/comments" -F "body=@$comment.cut"
  fi
}

if [ "$status" -lt 2 ] && [ -n "${GATE_PULL_REQUEST:-}" ] && [ -n "${GH_TOKEN:-}" ]; then
  # The token of a pull request from a fork may not comment.
  post || echo "pull-request-gate.sh: note: the pull request could not be commented" >&2
fi
exit "$status"
