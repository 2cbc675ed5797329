import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../configuration/config.js';
import { pathExists } from '../files/path.stats.js';
import { replacePrivateFile } from '../files/private-files.js';

/** A copy can't be used, or can't be restored here. The message is a sentence for an operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** `History`: the events, in an event store's file. `File`: of the data directory. `Database`: a dump of `pg_dump`. */
export type PartKind = 'History' | 'File' | 'Database';

export interface BackupPart {
  readonly kind: PartKind;
  /** The file's name in the copy; of a `File` also in the data directory. */
  readonly file: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** When the copying of this part began, real time: what was written before is in it. */
  readonly startedAt: string;
}

/** Written when all parts are complete: a copy without it is unfinished. It has no secret. */
export interface BackupManifest {
  readonly format: number;
  readonly copyId: string;
  /** The version of the program that made the copy. */
  readonly program: string;
  readonly mode: Config['mode'];
  readonly eventStore: Config['eventStore'];
  readonly sharedStore: Config['sharedStore'];
  /** When the copying of the events began, real time: what the processors executed since may be missing. */
  readonly takenAt: string;
  readonly finishedAt: string;
  readonly events: number;
  /** In the order in which they were copied. */
  readonly parts: readonly BackupPart[];
}

export const BACKUP_FORMAT = 1;
const MANIFEST = 'backup.json';

export function newCopyId(): string {
  return randomUUID();
}

export function writeManifest(folder: string, manifest: BackupManifest): void {
  replacePrivateFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @throws BackupError if the copy is unfinished, or of a newer version of the program */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, MANIFEST);
  if (!pathExists(file)) {
    throw new BackupError(`${folder} has no ${MANIFEST}: it is no copy, or one that was not finished.`);
  }
  const manifest = parse(file);
  if (manifest.format > BACKUP_FORMAT) {
    throw new BackupError(
      `${folder} was made by version ${manifest.program} of the program, in a format that this version does not know; restore it with that version or a later one.`,
    );
  }
  return manifest;
}

function parse(file: string): BackupManifest {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Partial<BackupManifest>;
    if (Number.isInteger(manifest.format) && Array.isArray(manifest.parts)) return manifest as BackupManifest;
  } catch {
    // Reported below.
  }
  throw new BackupError(`${file} can not be read: it is damaged.`);
}

/** The size and the hash of a file. Holds one block. */
export async function checksumOf(
  file: string,
  onBytes: (bytes: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Pick<BackupPart, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const block of createReadStream(file) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(block);
    bytes += block.length;
    onBytes(bytes);
  }
  return { bytes, sha256: hash.digest('hex') };
}
