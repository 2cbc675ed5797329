import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A row of `vault.db` has, after the subject's name: the version of the master key, two wrapped keys, the card
 * (docs/adr/0016). It is read from the bytes of the file and its WAL, because the vault or its driver may hide remains.
 */
const VERSION_BYTES = 4;
const PARTS = [
  { what: 'card key', bytes: 60 },
  { what: 'personal key', bytes: 60 },
  { what: 'card', bytes: 284 },
] as const;
const ROW_BYTES = VERSION_BYTES + PARTS.reduce((sum, { bytes }) => sum + bytes, 0);
/** Random bytes have few zeros; an absent part is all zeros. */
const ZEROS_MAX = 8;

/** Returns each wrapped key and each ciphertext of a card that the files hold of a subject. */
export function vaultSecretsOf(dataDir: string, subject: string): Buffer[] {
  const found = new Map<string, Buffer>();
  const name = Buffer.from(subject);
  for (const file of readdirSync(dataDir).filter((one) => /^vault\.db(-wal)?$/.test(one))) {
    const bytes = readFileSync(join(dataDir, file));
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      const row = bytes.subarray(at + name.length, at + name.length + ROW_BYTES);
      // An index entry has no version, which starts with zeros.
      if (row.length < ROW_BYTES || row.readUIntBE(0, 3) !== 0) continue;
      for (const part of partsOf(row)) found.set(part.toString('base64'), part);
    }
  }
  return [...found.values()];
}

function partsOf(row: Buffer): Buffer[] {
  let at = VERSION_BYTES;
  return PARTS.flatMap(({ bytes }) => {
    const part = Buffer.from(row.subarray(at, at + bytes));
    at += bytes;
    return part.filter((byte) => byte === 0).length > ZEROS_MAX ? [] : [part];
  });
}
