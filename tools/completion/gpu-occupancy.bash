# Completion of gpu-occupancy in bash: commands and options as --help lists them.

_gpu_occupancy() {
  local tool=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} words=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=$("$tool" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  elif [[ $word == -* ]]; then
    words=$("$tool" "${COMP_WORDS[1]}" --help 2>/dev/null |
      sed -n 's/^  \(-[a-zA-Z-]*=\{0,1\}\).*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    compopt -o filenames
  fi
}
complete -F _gpu_occupancy gpu-occupancy
