import { setTimeout } from 'node:timers/promises';
import type { Keyring } from './keyring.js';
import type { KeyVersions } from './key-versions.js';
import { MasterKey } from './master-key.js';
import type { SubjectKeys } from '../sqlite/subject.keys.js';
import type { SubjectRows } from '../sqlite/subject.rows.js';
import { VaultError } from '../vault.port.js';

export interface RotationProgress {
  /** Subjects rewrapped since this call began. */
  readonly done: number;
  /** Subjects under older versions when this call began. */
  readonly total: number;
}

export interface RotationOptions {
  onProgress?(progress: RotationProgress): void;
  /** Stops the rotation after the current transaction. */
  readonly signal?: AbortSignal;
  /**
   * Called when older keys wrap nothing any more, while no process writes to the vault. The caller removes all keys from
   * the configuration for which `isCurrent` is false. If it throws, the rotation ends and has to be run again.
   */
  onComplete?(isCurrent: (key: Uint8Array) => boolean): void;
}

export interface RotationResult {
  /** `Damaged`: some keys can't be unwrapped, so their older versions can't be retired. */
  readonly kind: 'Complete' | 'Interrupted' | 'Damaged';
  readonly version: number;
  readonly done: number;
  /** Subjects that are still under older versions. */
  readonly left: number;
}

export interface RotationState {
  /** The current version. */
  readonly version: number;
  /** Whether any older version is not retired. */
  readonly underWay: boolean;
  isCurrent(key: Uint8Array): boolean;
}

interface RotationParts {
  readonly rows: SubjectRows;
  readonly keys: SubjectKeys;
  readonly versions: KeyVersions;
  readonly keyring: Keyring;
  write<T>(work: () => T): Promise<T>;
}

/** A transaction of this size takes some milliseconds, during which other writers wait. */
const SUBJECTS_PER_TRANSACTION = 200;

export async function rotateKeys(parts: RotationParts, options: RotationOptions): Promise<RotationResult> {
  const { versions } = parts;
  const { signal } = options;
  const total = await parts.write(() => countUnderOlderVersions(parts));
  let done = 0;
  for (let current = 0; current !== versions.current() && !signal?.aborted;) {
    // If another rotation starts at the same time, this one makes a further round.
    current = versions.current();
    for (const { version } of versions.all()) {
      for await (const rewrapped of rewrapPages(parts, version, signal)) {
        done += rewrapped;
        options.onProgress?.({ done, total: Math.max(total, done) });
      }
    }
  }
  return parts.write(() => {
    const { version } = parts.keyring.current();
    const left = countUnderOlderVersions(parts);
    if (left > 0) return { kind: signal?.aborted ? 'Interrupted' : 'Damaged', version, done, left };
    options.onComplete?.(rotationState(versions).isCurrent);
    versions.retireOlder();
    return { kind: 'Complete', version, done, left };
  });
}

/** The state of the rotation. It is valid inside the write transaction that reads it. */
export function rotationState(versions: KeyVersions): RotationState {
  const all = versions.all();
  const current = all.at(-1);
  return {
    version: current?.version ?? 0,
    underWay: all.some(({ version, retiredAt }) => version !== current?.version && retiredAt === undefined),
    isCurrent: (key) => current?.checkValue.equals(new MasterKey(key).checkValue) ?? false,
  };
}

/** Yields the number of rewrapped subjects of each transaction. */
async function* rewrapPages(
  parts: RotationParts,
  version: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  for (let after = 0; !signal?.aborted;) {
    const startedAt = performance.now();
    const page = await parts.write(() => rewrapPage(parts, version, after));
    if (page === undefined) return;
    after = page.last;
    yield page.done;
    // A pause of the same length lets other processes write.
    await setTimeout(Math.max(1, performance.now() - startedAt));
  }
}

function countUnderOlderVersions({ rows, versions }: RotationParts): number {
  const current = versions.current();
  const older = versions.all().filter(({ version }) => version < current);
  return older.reduce((sum, { version }) => sum + rows.count(version), 0);
}

/** Rewraps the next subjects of this version. Undefined: none is left. */
function rewrapPage(
  { rows, keys, keyring }: RotationParts,
  version: number,
  after: number,
): { readonly last: number; readonly done: number } | undefined {
  const current = keyring.current();
  if (version >= current.version) return undefined;
  const page = rows.pageUnderVersion(version, after, SUBJECTS_PER_TRANSACTION);
  let done = 0;
  for (const row of page) {
    try {
      rows.overwrite(keys.rewrap(row, current));
      done += 1;
    } catch (error) {
      // The subject is damaged. The rotation counts it at the end and continues with the others.
      if (!(error instanceof VaultError)) throw error;
    }
  }
  const last = page.at(-1);
  return last && { last: last.id, done };
}
