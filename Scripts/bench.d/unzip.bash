# shellcheck shell=bash disable=SC2154,SC2034
# unzip beside Info-ZIP, 7-Zip, bsdtar and Python: extraction in memory and on the disk, lists, start.
#
# On the disk every run gets a directory of its own, and none is deleted before all runs are over: ext4 looks at every
# inode that was deleted in the last minutes whenever it makes a file, which then takes all programs several times as
# long and measures nothing of theirs. What a run wrote is emptied instead, so that nobody waits for its write-back.
# COURIER_BENCH_MATERIAL names a directory where archives are kept between runs.

unzip=$bin/unzip
material=${COURIER_BENCH_MATERIAL:-$work/material}
mkdir -p "$material"
memory=$(mktemp -d -p /dev/shm courier-bench.XXXXXX)
disk=$(mktemp -d -p "$root" .bench.XXXXXX)
at_exit "rm -rf $memory $disk"
place='' turn=0

# Makes an archive; where its packer is not there, says so and is false.
make_zip() {
  "$root/Scripts/bench.d/zip-material" "$material" "$1" 2>"$work/material.log" && return 0
  printf '\n%s\n  no archive: %s\n' "$title" "$(tail -1 "$work/material.log")"
  return 1
}

# The runs of one case: NAME of the archive, the programs that can read it.
extractions() { # extractions NAME PROGRAM...
  wanted && make_zip "$1" || return 0
  local archive=$1 zip=$material/$1.zip reference=$memory/reference program number=0
  shift
  mkdir "$reference"
  # What all are held against; where this one cannot read the archive, everybody gets a "!".
  case " $* " in
    *' info-zip '*) command unzip -qq -o -P secret "$zip" -d "$reference" || true ;;
    *) 7z x -y -bd -psecret "-o$reference" "$zip" >/dev/null || true ;;
  esac
  prepare() {
    if [ "$place" = "$memory" ]; then
      rm -rf "$place/out"
      mkdir "$place/out"
    else
      [ ! -e "$place/out" ] || find "$place/out/" -type f -size +1M -exec truncate -s 0 {} +
      number=$((number + 1))
      mkdir "$place/$archive-$number"
      ln -sfn "$archive-$number" "$place/out"
    fi
  }
  # Byte for byte in the run that does not count; then by the number of files and their size.
  check() {
    [ "$turn" -gt 0 ] || { diff -r "$reference" "$place/out/" >/dev/null && : >"$work/same.$name"; }
    [ ! -e "$work/same.$name" ] || find "$place/out/" -type f -printf '%s\n' | awk '{ s += $1 } END { print NR, s }'
  }
  expect=$(find "$reference" -type f -printf '%s\n' | awk '{ s += $1 } END { print NR, s }')
  rm -f "$work"/same.*
  contender courier "$unzip" -q -o -P secret "$zip" -d "$place/out/"
  for program; do
    case $program in
      info-zip) contender info-zip unzip -qq -o -P secret "$zip" -d "$place/out/" ;;
      7z) contender 7z 7z x -y -bd -psecret "-o$place/out/" "$zip" ;;
      bsdtar) contender bsdtar bsdtar --passphrase secret -xf "$zip" -C "$place/out/" ;;
      python) contender python python3 -m zipfile -e "$zip" "$place/out/" ;;
    esac
  done
  run
  rm -rf "$reference" "$memory/out"
}

for place in "$memory" "$disk"; do
  where=$(df --output=fstype "$place" | tail -1)
  begin "unzip: 12000 small files, $where"
  extractions small info-zip 7z bsdtar python
  begin "unzip: one entry of 512 MiB, $where"
  extractions big info-zip 7z bsdtar python
  begin "unzip: 384 MiB stored, $where"
  extractions stored info-zip 7z bsdtar python
  begin "unzip: 12000 empty files, $where"
  extractions empty info-zip 7z bsdtar python
done

# How fast decoders are does not depend on the disk.
place=$memory
begin 'unzip: 512 MiB of zeros, tmpfs'
extractions zeros info-zip 7z bsdtar python
for shape in text many; do
  declare -A words_of=([text]='128 MiB of text in one entry' [many]='128 MiB of text in 500 entries')
  begin "unzip: AES-256 and deflate, ${words_of[$shape]}"
  extractions "$shape-aes" 7z bsdtar
  begin "unzip: bzip2, ${words_of[$shape]}"
  extractions "$shape-bzip2" info-zip 7z bsdtar python
  begin "unzip: LZMA, ${words_of[$shape]}"
  extractions "$shape-lzma" 7z bsdtar python
  begin "unzip: Zstandard, ${words_of[$shape]}"
  extractions "$shape-zstd" 7z bsdtar
  begin "unzip: PPMd, ${words_of[$shape]}"
  extractions "$shape-ppmd" 7z
done

# Lists: what courier prints is what Info-ZIP prints.
lists() { # lists NAME OPTION [PATTERN]
  local list=("$2" "$material/$1.zip" "${@:3}")
  expect=$(unzip "${list[@]}" | cksum)
  check() { case $name in courier | info-zip) cksum <"$work/stdout" ;; *) echo "$expect" ;; esac }
  contender courier "$unzip" "${list[@]}"
  contender info-zip unzip "${list[@]}"
}

begin 'unzip: names of a million entries (-Z1)'
if wanted && make_zip million; then
  lists million -Z1
  contender bsdtar bsdtar -tf "$material/million.zip"
  contender 7z 7z l -ba "$material/million.zip"
  run
fi

begin 'unzip: one of a million entries'
if wanted && make_zip million; then
  prepare() { rm -rf "$memory/out" && mkdir "$memory/out"; }
  check() { find "$memory/out" -type f -printf '%P\n'; }
  expect=d0500/f500123
  contender courier "$unzip" -q -o "$material/million.zip" "$expect" -d "$memory/out"
  contender info-zip unzip -qq -o "$material/million.zip" "$expect" -d "$memory/out"
  contender bsdtar bsdtar -xf "$material/million.zip" -C "$memory/out" "$expect"
  contender 7z 7z x -y -bd "-o$memory/out" "$material/million.zip" "$expect"
  run
fi

begin 'unzip: some of a million entries, by a pattern (-l)'
if wanted && make_zip million; then
  lists million -l 'd05*3'
  run
fi

begin 'unzip: list of 12000 entries (-l)'
if wanted && make_zip small; then
  lists small -l
  contender bsdtar bsdtar -tvf "$material/small.zip"
  contender 7z 7z l "$material/small.zip"
  run
fi

begin 'unzip: start (--version)'
per=20
twenty=(bash -c 'for i in {1..20}; do "$@"; done' -)
contender courier "${twenty[@]}" "$unzip" --version
contender info-zip "${twenty[@]}" unzip -v
contender bsdtar "${twenty[@]}" bsdtar --version
contender 7z "${twenty[@]}" 7z
run
