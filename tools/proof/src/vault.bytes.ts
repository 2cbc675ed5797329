import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What follows a subject's name in its row of `vault.db`: the version of the master key, two wrapped keys, the card
 * (docs/adr/0016). Read from the bytes of the file and its log, without the vault and its driver, so that what one of
 * them would not show is seen too.
 */
const VERSION_BYTES = 4;
const PARTS = [
  { what: 'card key', bytes: 60 },
  { what: 'personal key', bytes: 60 },
  { what: 'card', bytes: 284 },
] as const;
const ROW_BYTES = VERSION_BYTES + PARTS.reduce((sum, { bytes }) => sum + bytes, 0);
/** Bytes of chance hold hardly any zeros. What is not there is all zeros. */
const MOST_ZEROS = 8;

/** All that the files hold of a subject at this moment: each wrapped key, each ciphertext of its card, once. */
export function vaultSecretsOf(dataDir: string, subject: string): Buffer[] {
  const found = new Map<string, Buffer>();
  const name = Buffer.from(subject);
  for (const file of readdirSync(dataDir).filter((one) => /^vault\.db(-wal)?$/.test(one))) {
    const bytes = readFileSync(join(dataDir, file));
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      const row = bytes.subarray(at + name.length, at + name.length + ROW_BYTES);
      // In an index no version follows, which begins with zeros.
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
    return part.filter((byte) => byte === 0).length > MOST_ZEROS ? [] : [part];
  });
}
