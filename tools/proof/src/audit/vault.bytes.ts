import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A row of `vault.db` has, after the subject's name: the version of the master key, two wrapped keys, the card
 * (docs/adr/0016). It is read from the bytes of the file and its WAL, because the vault or its driver may hide remains.
 */
const VERSION_BYTES = 4;
const CARD_BYTES = 284;
const PARTS = [
  { what: 'card key', bytes: 60 },
  { what: 'personal key', bytes: 60 },
  { what: 'card', bytes: CARD_BYTES },
] as const;
const ROW_BYTES = VERSION_BYTES + PARTS.reduce((sum, { bytes }) => sum + bytes, 0);
/** Random bytes have few zeros; an absent part is all zeros. */
const ZEROS_MAX = 8;

/** The bytes of the vault's file and of its WAL. */
export function vaultFiles(dataDir: string): Buffer[] {
  const names = readdirSync(dataDir).filter((one) => /^vault\.db(-wal)?$/.test(one));
  return names.map((name) => readFileSync(join(dataDir, name)));
}

export function vaultSecretsOf(dataDir: string, subject: string): Buffer[] {
  return vaultSecretsIn(vaultFiles(dataDir), subject);
}

/** Returns each wrapped key and each ciphertext of a card that the files hold of a subject. */
export function vaultSecretsIn(files: readonly Buffer[], subject: string): Buffer[] {
  const found = new Map<string, Buffer>();
  const name = Buffer.from(subject);
  for (const bytes of files) {
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
      const row = bytes.subarray(at + name.length, at + name.length + ROW_BYTES);
      // An index entry has no version, which starts with zeros.
      if (row.length < ROW_BYTES || row.readUIntBE(0, 3) !== 0) continue;
      for (const part of partsOf(row)) found.set(part.toString('base64'), part);
    }
  }
  return [...found.values()];
}

/** Whether the files hold the ciphertext of a card or bank account of a subject. */
export function hasCard(files: readonly Buffer[], subject: string): boolean {
  return vaultSecretsIn(files, subject).some(({ length }) => length === CARD_BYTES);
}

function partsOf(row: Buffer): Buffer[] {
  let at = VERSION_BYTES;
  return PARTS.flatMap(({ bytes }) => {
    const part = Buffer.from(row.subarray(at, at + bytes));
    at += bytes;
    return part.filter((byte) => byte === 0).length > ZEROS_MAX ? [] : [part];
  });
}
