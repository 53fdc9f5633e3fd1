# shellcheck shell=bash disable=SC2154,SC2034
# thumbs beside MuPDF, poppler and PDFium: pictures of 80 pixels' height from documents of several kinds.
#
# The documents are those in COURIER_BENCH_PDFS, else in $COURIER_CORPUS/pdfs/bench or ../shared/corpus/pdfs/bench;
# without these, documents made here and large ones found below /usr/share.

thumbs=$bin/thumbs out=$work/out
pdfs=${COURIER_BENCH_PDFS:-${COURIER_CORPUS:-$root/../shared/corpus}/pdfs/bench}
documents=()
if [ -d "$pdfs" ]; then
  for document in "$pdfs"/*.pdf; do documents+=("$document"); done
else
  Scripts/bench.d/documents "$work/pdfs"
  for document in "$work"/pdfs/*.pdf; do documents+=("$document"); done
  while IFS= read -r document; do documents+=("$document"); done < <(
    find /usr/share /usr/local/share -name '*.pdf' -size +200k -type f 2>/dev/null | sort | head -4)
fi

pictures() { find "$out" -type f -size +0 | wc -l; }
# The pages that thumbs counts; 0 where a document does not open.
pages_of() { "$thumbs" --info "$1" 2>/dev/null | grep -o '"pages":[0-9]*' | head -1 | cut -d: -f2 || echo 0; }
# PDFium has no program of its own in Debian.
pdfium() { # pdfium NAME ARGUMENT...
  if python3 -c 'import pypdfium2, PIL' 2>/dev/null; then
    contender "$1" python3 Scripts/bench.d/pdfium "${@:2}"
  else
    missing+=("$1")
  fi
}
# Pixels of height to pdftoppm and pdftocairo, which take the media box unless told.
poppler=(-png -cropbox -scale-to-x -1 -scale-to-y 80)

begin 'thumbs: start (--version)'
per=20
twenty=(bash -c 'for i in {1..20}; do "$@"; done' -)
contender courier "${twenty[@]}" "$thumbs" --version
contender pdftocairo "${twenty[@]}" pdftocairo -v
contender mutool "${twenty[@]}" mutool -v
run

for document in "${documents[@]}"; do
  name=${document##*/}
  # Counting pages takes time as well.
  title="thumbs: all first $name"
  wanted || continue
  pages=$(pages_of "$document")
  [ "${pages:-0}" -gt 0 ] || continue

  begin "thumbs: all $pages pages of $name"
  expect=$pages
  check() { pictures; }
  contender courier "$thumbs" -q --height 80 -o "$out" "$document"
  [ "$pages" -lt 2 ] || contender 'courier --jobs 1' "$thumbs" -q --jobs 1 --height 80 -o "$out" "$document"
  contender mutool mutool draw -q -h 80 -w 8000 -o "$out/%d.png" "$document"
  contender pdftoppm pdftoppm "${poppler[@]}" "$document" "$out/p"
  contender pdftocairo pdftocairo "${poppler[@]}" "$document" "$out/p"
  pdfium PDFium "$document" "$out"
  if wanted; then
    prepare
    note "memory of the whole run, shared pages counted once: $(Scripts/bench.d/memory-of \
      "$thumbs" -q --height 80 -o "$out" "$document")"
  fi
  run

  begin "thumbs: first page of $name"
  expect=1
  check() { pictures; }
  contender courier "$thumbs" -q --pages 1 --height 80 -o "$out" "$document"
  contender mutool mutool draw -q -h 80 -w 8000 -o "$out/%d.png" "$document" 1
  contender pdftoppm pdftoppm -l 1 "${poppler[@]}" "$document" "$out/p"
  contender pdftocairo pdftocairo -l 1 "${poppler[@]}" "$document" "$out/p"
  pdfium PDFium "$document" "$out" 1
  contender vipsthumbnail vipsthumbnail "$document" --size x80 -o "$out/v.png"
  run

  [ "$pages" -ge 300 ] || continue
  begin "thumbs: the first 12 of $pages pages of $name"
  expect=12
  check() { pictures; }
  contender courier "$thumbs" -q --pages 1-12 --height 80 -o "$out" "$document"
  contender mutool mutool draw -q -h 80 -w 8000 -o "$out/%d.png" "$document" 1-12
  contender pdftoppm pdftoppm -l 12 "${poppler[@]}" "$document" "$out/p"
  contender pdftocairo pdftocairo -l 12 "${poppler[@]}" "$document" "$out/p"
  run
done
