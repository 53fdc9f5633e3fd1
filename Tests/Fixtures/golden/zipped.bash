# bash completion for zipped
_courier_zipped() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=
  ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
  # bash splits --name=value in three at the sign.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]] && ((COMP_CWORD > 1)); then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    -d)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$cur")
      return
      ;;
    -O | -I | --encoding)
      COMPREPLY=()
      return
      ;;
    --jobs)
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
    mapfile -t COMPREPLY < <(compgen -W '-l -t -j -o -n -x -d -O -I --encoding --jobs -q --quiet --progress --color --json -h --help --version' -- "$cur")
    return
  fi
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -F _courier_zipped zipped
