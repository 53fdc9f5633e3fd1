#compdef zipped
# zsh completion for zipped
_zipped() {
  _arguments -s -S : \
    '*-l[list]' \
    '*-t[test]' \
    '*-j[no directories]' \
    '*-o[overwrite]' \
    '*-n[never overwrite]' \
    '*-x[leave out]:*-*:member...:' \
    '(-d)-d+[extract there]:dir:_files -/' \
    '(-O -I --encoding)-O+[names]:NAME: ' \
    '(-O -I --encoding)-I+[names]:NAME: ' \
    '(-O -I --encoding)--encoding=[names]:NAME: ' \
    '(--jobs)--jobs=[workers]:N: ' \
    '*-q[only errors on standard error]' \
    '*--quiet[only errors on standard error]' \
    '(--progress)--progress=[how progress is shown (default auto)]:HOW:((auto\:"a bar on a terminal, plain lines elsewhere when the work takes long" bar\:"a bar that is redrawn, on terminals only" plain\:"lines of text, one every few seconds" json\:"one JSON object a line on standard error" none\:"nothing"))' \
    '(--color)--color=[when to use color (default auto)]:WHEN:((auto\:"on a terminal, unless NO_COLOR is set or TERM is dumb" always\:"everywhere" never\:"nowhere"))' \
    '(--json)--json[results as JSON, one object a line]' \
    '*-h[short help with -h, long help with --help]' \
    '*--help[short help with -h, long help with --help]' \
    '(--version)--version[name and version]' \
    ':archive:_files' \
    '*:member: '
}
if [[ $funcstack[1] == _zipped ]]; then
  _zipped "$@"
else
  compdef _zipped zipped
fi
