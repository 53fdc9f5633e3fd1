#compdef sample
# zsh completion for sample
_sample() {
  _arguments -s -S : \
    '(-o --output)-o+[write there]:FILE:_files' \
    '(-o --output)--output=[write there]:FILE:_files' \
    '(-d --directory)-d+[where files go\: "here" without it]:DIR:_files -/' \
    '(-d --directory)--directory=[where files go\: "here" without it]:DIR:_files -/' \
    '(--existing)--existing=[when the target exists]:WHAT:((skip\:"leave what'\''s there" replace\:"write over it\: \$HOME too" rename\:"rename" fail\:"stop \"at once\""))' \
    '(--resume --no-resume)--resume[go on where it stopped]' \
    '(--resume --no-resume)--no-resume[go on where it stopped]' \
    '(-n --connections)-n+[segments a file]:auto|N:((auto\:"auto"))' \
    '(-n --connections)--connections=[segments a file]:auto|N:((auto\:"auto"))' \
    '(--max-size)--max-size=[largest file]:SIZE: ' \
    '(--connect-timeout)--connect-timeout=[patience]:TIME: ' \
    '*-H+[send this line]:LINE: ' \
    '*--header=[send this line]:LINE: ' \
    '(--serve)--serve=-[show pages]::PORT: ' \
    '*-v[tell more]' \
    '*--verbose[tell more]' \
    '(--explain)--explain=[explain an error]:CODE: ' \
    '*-q[only errors on standard error]' \
    '*--quiet[only errors on standard error]' \
    '(--progress)--progress=[how progress is shown (default auto)]:HOW:((auto\:"a bar on a terminal, plain lines elsewhere when the work takes long" bar\:"a bar that is redrawn, on terminals only" plain\:"lines of text, one every few seconds" json\:"one JSON object a line on standard error" none\:"nothing"))' \
    '(--color)--color=[when to use color (default auto)]:WHEN:((auto\:"on a terminal, unless NO_COLOR is set or TERM is dumb" always\:"everywhere" never\:"nowhere"))' \
    '(--json)--json[results as JSON, one object a line]' \
    '*-h[short help with -h, long help with --help]' \
    '*--help[short help with -h, long help with --help]' \
    '(--version)--version[name and version]' \
    '*:URL:_files'
}
if [[ $funcstack[1] == _sample ]]; then
  _sample "$@"
else
  compdef _sample sample
fi
