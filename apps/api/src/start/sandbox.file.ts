import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';
import { replacePrivateFile } from '@tillstream/platform';

const fileOf = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** What the last start wrote; nothing where it is missing or broken. */
export function readSandboxFile(dataDir: string): Partial<SandboxFacts> {
  try {
    const facts: unknown = JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
    const { apiKey, adminKey } = (facts ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof apiKey === 'string' && { apiKey }),
      ...(typeof adminKey === 'string' && { adminKey }),
    };
  } catch {
    return {};
  }
}

/** Readable by its owner only; a reader sees the old or the new one, whole. */
export function writeSandboxFile(dataDir: string, facts: SandboxFacts): void {
  replacePrivateFile(fileOf(dataDir), `${JSON.stringify(facts, null, 2)}\n`);
}
