# shellcheck shell=bash disable=SC2154,SC2034
# fetch beside curl, wget, aria2 and axel: from nginx on loopback, and from a server that breaks off.

www=$work/www
mkdir -p "$www/small"
head -c 1048576 /dev/urandom >"$work/block"
blocks() { local n; for ((n = 0; n < $1; n++)); do cat "$work/block"; done; }
blocks 512 >"$www/big.bin"
blocks 160 >"$www/capped.bin"
blocks 48 >"$www/flaky.bin"
split --bytes 10K --suffix-length 6 --numeric-suffixes <(blocks 98) "$www/small/f"
small=$(find "$www/small" -type f | wc -l)

# Debian keeps it out of an ordinary user's PATH.
nginx=$(PATH=$PATH:/usr/sbin command -v nginx)
for _ in 1 2 3 4 5 6 7 8; do
  port=$((20000 + RANDOM % 20000))
  cat >"$work/nginx.conf" <<CONF
pid $work/nginx.pid; error_log $work/nginx.log; worker_processes 1;
events { worker_connections 512; }
http {
  access_log off; sendfile on; keepalive_requests 1000000;
  client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/fastcgi;
  uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
  server { listen 127.0.0.1:$port; root $www; location /slow/ { alias $www/; limit_rate 4m; } }
}
CONF
  "$nginx" -c "$work/nginx.conf" -e "$work/nginx.log" 2>/dev/null && break
done
at_exit "kill \$(cat $work/nginx.pid)"
address=http://127.0.0.1:$port
fetch=$bin/fetch out=$work/out
size_of_file() { stat -c %s "$out/f" 2>/dev/null; }

begin 'fetch: start (--version)'
per=20
twenty=(bash -c 'for i in {1..20}; do "$@"; done' -)
contender courier "${twenty[@]}" "$fetch" --version
contender curl "${twenty[@]}" curl --version
contender aria2 "${twenty[@]}" aria2c --version
run

begin 'fetch: one stream, 512 MiB'
expect=$((512 << 20))
check() { size_of_file; }
url=$address/big.bin
contender courier "$fetch" -q -o "$out/f" "$url"
contender curl curl -s -o "$out/f" "$url"
contender 'curl and sync' bash -c "curl -s -o $out/f $url && sync $out/f"
contender wget wget -q -O "$out/f" "$url"
contender wget2 wget2 -q -O "$out/f" "$url"
contender aria2 aria2c -q -x1 --file-allocation=none -d "$out" -o f "$url"
contender axel axel -q -n 1 -o "$out/f" "$url"
note 'courier brings the data to the disk before the file gets its name; of the others only "curl and sync" does'
run

begin 'fetch: one stream to /dev/null, 512 MiB'
contender courier "$fetch" -q -o /dev/null "$url"
contender curl curl -s -o /dev/null "$url"
contender wget wget -q -O /dev/null "$url"
run

begin 'fetch: each connection capped at 4 MiB/s, 160 MiB, default flags'
expect=$((160 << 20))
check() { size_of_file; }
url=$address/slow/capped.bin
contender courier "$fetch" -q -o "$out/f" "$url"
contender 'aria2 -x16' aria2c -q -x16 -s16 -k1M --file-allocation=none -d "$out" -o f "$url"
contender 'axel -n 16' axel -q -n 16 -o "$out/f" "$url"
run

begin "fetch: $small files of 10 KiB"
expect=$small
check() { find "$out" -type f -size -11k | wc -l; }
for file in "$www"/small/*; do
  name=${file##*/}
  echo "$address/small/$name" >&3
  printf 'url = "%s"\noutput = "%s"\n' "$address/small/$name" "$out/$name"
done >"$work/curl.list" 3>"$work/list"
contender courier "$fetch" -q -d "$out" -i "$work/list"
contender 'courier -j 16' "$fetch" -q -j 16 -d "$out" -i "$work/list"
contender 'curl -Z 4' curl -s -Z --parallel-max 4 -K "$work/curl.list"
contender 'curl -Z' curl -s -Z -K "$work/curl.list"
contender wget wget -q -P "$out" -i "$work/list"
contender 'aria2 -j 16' aria2c -q -j 16 --file-allocation=none -d "$out" -i "$work/list"
run

begin 'fetch: reset every 5 MiB, 48 MiB'
if wanted; then
  Scripts/bench.d/flaky-server "$www/flaky.bin" "$work/flaky" &
  at_exit "kill $!"
  until [ -s "$work/flaky.port" ]; do sleep 0.1; done
  url=http://127.0.0.1:$(<"$work/flaky.port")/f
  expect=$((48 << 20))
  check() { size_of_file; }
  contender courier "$fetch" -q -o "$out/f" "$url"
  contender 'curl --retry' curl -s --retry 3 --retry-all-errors --retry-delay 1 -o "$out/f" "$url"
  contender wget wget -q -t 100 --retry-connrefused --waitretry=0 -O "$out/f" "$url"
  note 'curl begins anew with each retry and never ends here: it is given three'
  contender aria2 aria2c -q -x1 -m 100 --retry-wait=0 --file-allocation=none -d "$out" -o f "$url"
  run
  printf '  body bytes that the server sent, of the size of the file:\n'
  for name in "${names[@]}"; do
    before=$(<"$work/flaky.sent")
    once "$name" >/dev/null
    awk -v name="$name" -v sent=$(($(<"$work/flaky.sent") - before)) -v size=$expect \
      'BEGIN { printf "  %-16s %.3f\n", name, sent / size }'
  done
fi
