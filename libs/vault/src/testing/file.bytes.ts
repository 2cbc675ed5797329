import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * All bytes of all files of a directory, by name, as they are on the disk now. Another process copies them: if this one
 * opened and closed the files of an open database, it would release SQLite's locks.
 */
export function fileBytes(directory: string): ReadonlyMap<string, Buffer> {
  const copy = mkdtempSync(join(tmpdir(), 'tillstream-bytes-'));
  try {
    execFileSync('cp', ['-r', `${directory}/.`, copy]);
    const names = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    return new Map(names.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]));
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Returns the needles (of at least eight bytes each) that occur in the bytes. One pass for thousands of needles. */
export function foundIn(bytes: Buffer, needles: readonly Buffer[]): readonly Buffer[] {
  const byStart = new Map<number, Buffer[]>();
  for (const needle of needles) {
    const start = needle.readUInt32LE();
    byStart.set(start, [...(byStart.get(start) ?? []), needle]);
  }
  const found = new Set<Buffer>();
  for (let at = 0; at + 4 <= bytes.length; at++) {
    for (const needle of byStart.get(bytes.readUInt32LE(at)) ?? []) {
      if (bytes.subarray(at, at + needle.length).equals(needle)) found.add(needle);
    }
  }
  return [...found];
}
