import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replacePrivateFile, withStartupLock } from '@tillstream/platform';

type Facts = Readonly<Record<string, unknown>>;

const fileOf = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** What the service's last start wrote for users of the sandbox; nothing where it is missing or broken. */
export function readSandboxFile(dataDir: string): Facts {
  try {
    const facts: unknown = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    return typeof facts === 'object' && facts !== null ? (facts as Facts) : {};
  } catch {
    return {};
  }
}

/**
 * Puts the new admin key in place of one that was revoked, should the file name it: else the next start would find that its
 * key opens nothing, and make one more. Not while a start has the file in hand. Gives a note for the operator.
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

/** A note for the operator, where the file names a key that was revoked. */
export function whatSandboxFileSays(dataDir: string, revoked: string): string | undefined {
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
