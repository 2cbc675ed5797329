import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replacePrivateFile, withStartupLock } from '@tillstream/platform';

type Facts = Readonly<Record<string, unknown>>;

const fileOf = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** Reads what the service's last start wrote for users of the sandbox; empty if the file is missing or broken. */
export function readSandboxFile(dataDir: string): Facts {
  try {
    const facts: unknown = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    return typeof facts === 'object' && facts !== null ? (facts as Facts) : {};
  } catch {
    return {};
  }
}

/**
 * Replaces a rotated admin key that the file names; otherwise the next start would find its key revoked and make another.
 * Waits for a service that is starting. Returns a note for the operator.
 *
 * @param revoked SHA-256 of the old key, hex
 */
export async function rememberDemoKey(
  dataDir: string,
  revoked: string,
  key: string,
): Promise<string | undefined> {
  if (!names(readSandboxFile(dataDir), 'adminKey', revoked)) return undefined;
  return withStartupLock(dataDir, async () => {
    const facts = readSandboxFile(dataDir);
    if (!names(facts, 'adminKey', revoked)) return undefined;
    replacePrivateFile(fileOf(dataDir), `${JSON.stringify({ ...facts, adminKey: key }, null, 2)}\n`);
    return `It was the key of the sandbox's demo: ${fileOf(dataDir)} names the new one now.`;
  });
}

/** Returns a note for the operator if the file names a revoked key. */
export function revokedDemoKeyNote(dataDir: string, revoked: string): string | undefined {
  const facts = readSandboxFile(dataDir);
  const named = (['adminKey', 'apiKey'] as const).find((field) => names(facts, field, revoked));
  return named === undefined
    ? undefined
    : `It was a key of the sandbox's demo: ${named} in ${fileOf(dataDir)} opens nothing until the next start of the service, which makes another and writes it there.`;
}

function names(facts: Facts, field: 'adminKey' | 'apiKey', hash: string): boolean {
  const key = facts[field];
  return typeof key === 'string' && createHash('sha256').update(key).digest('hex') === hash;
}
