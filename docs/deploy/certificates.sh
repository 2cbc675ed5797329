#!/bin/sh
# Makes a certificate authority and the certificates of a trial on one machine: certificates.sh FOLDER AUTHORITIES [HOST …]
# AUTHORITIES gets the authority's certificate alone, for those who only check others. HOSTs are the names under which
# customers reach the proxy; localhost always is one. Files that exist are kept.
set -eu
umask 077

# Fails before anything starts with a secret that is missing.
: "${EVENTSTORE_PASSWORD:?is missing: docs/deploy/README.md}" "${POSTGRES_PASSWORD:?is missing: docs/deploy/README.md}"

folder=$1
authorities=$2
shift 2
mkdir -p "$folder" "$authorities"
authorities=$(cd "$authorities" && pwd)
cd "$folder"

if [ ! -f ca.crt ]; then
  openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days 1825 -subj '/CN=Tillstream trial CA' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout ca.key -out ca.crt 2>/dev/null
fi

# certificate NAME SUBJECT NAMES: EventStoreDB's nodes use theirs as clients of one another too.
certificate() {
  [ ! -f "$1.crt" ] || return 0
  openssl req -new -newkey rsa:3072 -nodes -sha256 -subj "/CN=$2" -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\nkeyUsage=critical,digitalSignature,keyEncipherment\nbasicConstraints=critical,CA:FALSE\n' "$3" >"$1.ext"
  openssl x509 -req -sha256 -days 825 -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}
for node in 1 2 3; do
  certificate "eventstoredb-$node" eventstoredb-node "DNS:eventstoredb-$node,DNS:localhost,IP:127.0.0.1"
done
certificate postgres postgres 'DNS:postgres,DNS:localhost,IP:127.0.0.1'
names='DNS:localhost,IP:127.0.0.1'
for host in "$@"; do names="$names,DNS:$host"; done
certificate proxy localhost "$names"
cat proxy.crt proxy.key >proxy.pem


# Each program reads its own key: the user ids are those of the images. EventStoreDB trusts each file of AUTHORITIES.
cp ca.crt "$authorities/ca.crt"
chmod 755 . "$authorities"
chmod 644 ./*.crt "$authorities/ca.crt"
if [ "$(id -u)" -eq 0 ]; then
  chown 1000 eventstoredb-*.key
  chown 999 postgres.key
  chown 99 proxy.pem
fi
