import type { Keyring } from '../keys/keyring.js';
import type { KeyVersions } from '../keys/key-versions.js';
import {
  rewrapRows,
  rotationState,
  SUBJECTS_PER_TRANSACTION,
  type RewrappedPage,
  type RotationStore,
} from '../keys/rotation.js';
import type { SubjectKeys } from '../keys/subject.keys.js';
import type { SubjectRows } from './subject.rows.js';

interface RotationParts {
  readonly rows: SubjectRows;
  readonly keys: SubjectKeys;
  readonly versions: KeyVersions;
  readonly keyring: Keyring;
  write<T>(work: () => T): Promise<T>;
}

/** The rotation of a file's keys: each step is one write transaction. */
export function sqliteRotation(parts: RotationParts): RotationStore {
  const { versions, keyring, write } = parts;
  return {
    versions: async () => versions.all(),
    countOlder: () => write(() => countUnderOlderVersions(parts)),
    rewrapPage: (version, after) => write(() => rewrapPage(parts, version, after)),
    complete: (onComplete) =>
      write(() => {
        const { version } = keyring.current();
        const left = countUnderOlderVersions(parts);
        if (left > 0) return { version, left };
        onComplete?.(rotationState(versions).isCurrent);
        versions.retireOlder();
        return { version, left };
      }),
  };
}

function countUnderOlderVersions({ rows, versions }: RotationParts): number {
  const current = versions.current();
  const older = versions.all().filter(({ version }) => version < current);
  return older.reduce((sum, { version }) => sum + rows.count(version), 0);
}

function rewrapPage(parts: RotationParts, version: number, after: number): RewrappedPage | undefined {
  if (version >= parts.keyring.current().version) return undefined;
  return rewrapRows(parts.rows.pageUnderVersion(version, after, SUBJECTS_PER_TRANSACTION), parts);
}
