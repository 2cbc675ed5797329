import { setTimeout } from 'node:timers/promises';
import type { Keyring } from './keyring.js';
import type { KeyVersion, KeyVersionRegister } from './key-versions.js';
import { MasterKey } from './master-key.js';
import type { SubjectKeys } from './subject.keys.js';
import type { SubjectRow, SubjectTable } from './subject.row.js';
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

export interface RewrappedPage {
  /** The id of its last row. */
  readonly last: number;
  /** Rewrapped rows; the others are damaged. */
  readonly done: number;
}

/** What a rotation needs of an adapter. */
export interface RotationStore {
  /** In the order of registration. */
  versions(): Promise<readonly KeyVersion[]>;
  /** Subjects under versions before the current one. */
  countOlder(): Promise<number>;
  /** Rewraps the next subjects of this version in one transaction. Undefined: none is left, or it is the current one. */
  rewrapPage(version: number, after: number): Promise<RewrappedPage | undefined>;
  /**
   * While no process writes to the vault: counts the subjects under older versions. If there are none, calls `onComplete`
   * and retires these versions.
   */
  complete(
    onComplete: RotationOptions['onComplete'],
  ): Promise<{ readonly version: number; readonly left: number }>;
}

/** A transaction of this size takes some milliseconds, during which other writers may wait. */
export const SUBJECTS_PER_TRANSACTION = 200;

export async function rotateKeys(store: RotationStore, options: RotationOptions): Promise<RotationResult> {
  const { signal } = options;
  const total = await store.countOlder();
  let done = 0;
  for (let current = 0; !signal?.aborted;) {
    const versions = await store.versions();
    const highest = versions.at(-1)?.version ?? 0;
    if (current === highest) break;
    // If another rotation starts at the same time, this one makes a further round.
    current = highest;
    for (const { version } of versions) {
      for await (const rewrapped of rewrapPages(store, version, signal)) {
        done += rewrapped;
        options.onProgress?.({ done, total: Math.max(total, done) });
      }
    }
  }
  const { version, left } = await store.complete(options.onComplete);
  if (left > 0) return { kind: signal?.aborted ? 'Interrupted' : 'Damaged', version, done, left };
  return { kind: 'Complete', version, done, left };
}

/** The state of the rotation. It is valid inside the write transaction that reads it. */
export function rotationState(versions: Pick<KeyVersionRegister, 'all'>): RotationState {
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
  store: RotationStore,
  version: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  for (let after = 0; !signal?.aborted;) {
    const startedAt = performance.now();
    const page = await store.rewrapPage(version, after);
    if (page === undefined) return;
    after = page.last;
    yield page.done;
    // A pause of the same length lets other processes write.
    await setTimeout(Math.max(1, performance.now() - startedAt));
  }
}

/** Rewraps the rows under the current version. Undefined: there are none. */
export function rewrapRows(
  page: readonly SubjectRow[],
  { rows, keys, keyring }: { rows: SubjectTable; keys: SubjectKeys; keyring: Keyring },
): RewrappedPage | undefined {
  const current = keyring.current();
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
