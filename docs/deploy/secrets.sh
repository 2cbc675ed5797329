#!/bin/sh
# Prints the secrets of the large profile of docker-compose.yml, new ones at each call: docs/deploy/secrets.sh > large.env
# Keep the file: without its keys no stored card can be used. See "The vault and its master key" in docs/operations.md.
set -eu
for name in EVENTSTORE_PASSWORD POSTGRES_PASSWORD SANDBOX_SECRET; do
  printf '%s=%s\n' "$name" "$(openssl rand -hex 24)"
done
for name in IDEMPOTENCY_ANSWER_KEY VAULT_MASTER_KEY; do
  printf '%s=%s\n' "$name" "$(openssl rand -base64 32)"
done
