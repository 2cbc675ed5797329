import { setTimeout } from 'node:timers/promises';
import type { Keyring } from './keyring.js';
import type { KeyVersions } from './key-versions.js';
import { MasterKey } from './master-key.js';
import type { SubjectKeys } from '../sqlite/subject.keys.js';
import type { SubjectRows } from '../sqlite/subject.rows.js';
import { VaultError } from '../vault.port.js';

export interface RotationProgress {
  /** Subjects wrapped anew since this call began. */
  readonly done: number;
  /** Subjects that hung on older versions when this call began. */
  readonly total: number;
}

export interface RotationOptions {
  onProgress?(progress: RotationProgress): void;
  /** Ends it after the transaction in hand. */
  readonly signal?: AbortSignal;
  /**
   * Called when nothing hangs on an older key any more, while no process writes to the vault: the moment to take all
   * keys out of the configuration for which `isCurrent` is false. What it throws ends the rotation, to be run again.
   */
  onComplete?(isCurrent: (key: Uint8Array) => boolean): void;
}

export interface RotationResult {
  /** `Damaged`: some could not be unwrapped, and keep the older versions from being retired. */
  readonly kind: 'Complete' | 'Interrupted' | 'Damaged';
  readonly version: number;
  readonly done: number;
  /** Subjects that hang on older versions still. */
  readonly left: number;
}

export interface RotationState {
  /** The current version. */
  readonly version: number;
  /** Whether an older version is not retired yet. */
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

/** So many that a transaction takes some milliseconds: others wait for no longer. */
const SUBJECTS_PER_TRANSACTION = 200;

export async function rotateKeys(parts: RotationParts, options: RotationOptions): Promise<RotationResult> {
  const { versions } = parts;
  const { signal } = options;
  const total = await parts.write(() => countUnderOlderVersions(parts));
  let done = 0;
  for (let current = 0; current !== versions.current() && !signal?.aborted;) {
    // Another rotation may begin meanwhile; then there is one more round.
    current = versions.current();
    for (const { version } of versions.all()) {
      for await (const wrappedNow of rewrapPages(parts, version, signal)) {
        done += wrappedNow;
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

/** How it stands; to be acted on inside the write transaction in which it was read. */
export function rotationState(versions: KeyVersions): RotationState {
  const all = versions.all();
  const current = all.at(-1);
  return {
    version: current?.version ?? 0,
    underWay: all.some(({ version, retiredAt }) => version !== current?.version && retiredAt === undefined),
    isCurrent: (key) => current?.checkValue.equals(new MasterKey(key).checkValue) ?? false,
  };
}

/** How many of each transaction were wrapped anew. */
async function* rewrapPages(
  parts: RotationParts,
  version: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<number> {
  for (let after = 0; !signal?.aborted;) {
    const began = performance.now();
    const page = await parts.write(() => rewrapPage(parts, version, after));
    if (page === undefined) return;
    after = page.last;
    yield page.done;
    // As long a rest: other processes want to write too.
    await setTimeout(Math.max(1, performance.now() - began));
  }
}

function countUnderOlderVersions({ rows, versions }: RotationParts): number {
  const current = versions.current();
  const older = versions.all().filter(({ version }) => version < current);
  return older.reduce((sum, { version }) => sum + rows.count(version), 0);
}

/** The next of those that hang on this version; undefined: none follows. */
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
      // Damaged: counted at the end. It must not keep the others on the old key.
      if (!(error instanceof VaultError)) throw error;
    }
  }
  const last = page.at(-1);
  return last && { last: last.id, done };
}
