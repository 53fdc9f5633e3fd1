# bash completion for sample
_courier_sample() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=
  ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
  # bash splits --name=value in three at the sign.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]] && ((COMP_CWORD > 1)); then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    -o | --output)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$cur")
      return
      ;;
    -d | --directory)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$cur")
      return
      ;;
    --existing)
      mapfile -t COMPREPLY < <(compgen -W 'skip replace rename fail' -- "$cur")
      return
      ;;
    -n | --connections)
      mapfile -t COMPREPLY < <(compgen -W 'auto' -- "$cur")
      return
      ;;
    --max-size)
      COMPREPLY=()
      return
      ;;
    --connect-timeout)
      COMPREPLY=()
      return
      ;;
    -H | --header)
      COMPREPLY=()
      return
      ;;
    --explain)
      COMPREPLY=()
      return
      ;;
    --progress)
      mapfile -t COMPREPLY < <(compgen -W 'auto bar plain json none' -- "$cur")
      return
      ;;
    --color)
      mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur")
      return
      ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '-o --output -d --directory --existing --resume --no-resume -n --connections --max-size --connect-timeout -H --header --serve -v --verbose --explain -q --quiet --progress --color --json -h --help --version' -- "$cur")
    return
  fi
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -F _courier_sample sample
