# Completion of gpu-occupancy in bash: commands, options and values as --help
# lists them, and the names of devices and rules.

# _gpu_occupancy_values TOOL COMMAND OPTION: what the option takes.
_gpu_occupancy_values() {
  local row
  case $3 in
  --device | --devices)
    "$1" device list 2>/dev/null | awk 'NR > 1 { print $1 }'
    return ;;
  --fail-on)
    "$1" explain-rule 2>/dev/null | awk '{ print "rule:" $1 }'
    return ;;
  esac
  row=$("$1" "$2" --help 2>/dev/null | grep -m 1 -- "^  $3=")
  if [[ $3 == --format ]]; then
    grep -owE 'text|summary|remarks|json|yaml|sarif|github|markdown|html|lines' <<<"$row"
  else
    sed -n 's/^  [^=]*=\([a-z]*\(|[a-z]*\)\{1,\}\).*/\1/p' <<<"$row" | tr '|' '\n'
  fi
}

_gpu_occupancy() {
  local tool=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} words="" option=""
  local at=$COMP_CWORD before=""
  # Bash makes three words of rule:BankConflict, and completes the last one.
  if [ "$word" = : ]; then
    before=${COMP_WORDS[at - 1]}: word="" at=$((at - 1))
  elif [ "$at" -gt 2 ] && [ "${COMP_WORDS[at - 1]}" = : ]; then
    before=${COMP_WORDS[at - 2]}: at=$((at - 2))
  fi
  # And three of --format=html.
  if [ "$word" = = ]; then
    option=${COMP_WORDS[at - 1]} word=""
  elif [ "$at" -gt 2 ] && [ "${COMP_WORDS[at - 1]}" = = ]; then
    option=${COMP_WORDS[at - 2]}
  elif [ "$at" -gt 2 ]; then
    option=${COMP_WORDS[at - 1]}
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=$("$tool" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
  elif [[ $option == --* ]]; then
    words=$(_gpu_occupancy_values "$tool" "${COMP_WORDS[1]}" "$option")
  elif [[ $word == -* ]]; then
    words=$("$tool" "${COMP_WORDS[1]}" --help 2>/dev/null |
      sed -n 's/^  \(-[a-zA-Z-]*=\{0,1\}\).*/\1/p')
  elif [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = explain-rule ]; then
    words=$("$tool" explain-rule 2>/dev/null | awk '{ print $1 }')
  elif [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = device ]; then
    words=$("$tool" device --help 2>/dev/null |
      sed -n 's/.*gpu-occupancy device \([a-z]*\).*/\1/p' | sort -u)
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$before$word")
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames
  fi
}
complete -F _gpu_occupancy gpu-occupancy
