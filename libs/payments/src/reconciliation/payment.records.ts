import { parseOperationId, type OperationId } from '@tillstream/domain';
import type {
  AttemptRecord,
  ProcessorRecord,
  ReturnRecord,
  VerificationRecord,
} from '@tillstream/processors';

/** Everything that a processor's records have of one stream. */
export interface RecordsOfStream {
  readonly category: 'payment' | 'token';
  /** 23 characters. */
  readonly root: string;
  readonly attempts: readonly AttemptRecord[];
  readonly verifications: readonly VerificationRecord[];
  readonly returns: readonly ReturnRecord[];
}

/** The records can't be compared: a key is not this service's, a key comes twice, or those of a payment are not together. */
export class UnusableRecords extends Error {
  override readonly name = 'UnusableRecords';
}

export interface AttemptKey {
  readonly operationId: OperationId;
  readonly category: 'payment' | 'token';
  readonly root: string;
  readonly number: number;
}

/** @throws UnusableRecords */
export function parseAttemptKey(key: string): AttemptKey {
  const [id = '', number = '', ...rest] = key.split('.');
  const address = parseOperationId(id);
  if (!address || rest.length > 0 || !/^[1-9]\d{0,5}$/.test(number)) {
    throw new UnusableRecords(`The key "${key.slice(0, 100)}" is none of this service.`);
  }
  const { category, root } = address;
  return { operationId: id as OperationId, category, root, number: Number(number) };
}

/**
 * Groups records by stream. Holds the records of one stream; `onRecord` gets each record once.
 * @throws UnusableRecords
 */
export async function* recordsByStream(
  records: AsyncIterable<ProcessorRecord>,
  onRecord: (record: ProcessorRecord) => void,
): AsyncGenerator<RecordsOfStream> {
  let group: Draft | undefined;
  for await (const record of records) {
    onRecord(record);
    const { category, root } = parseAttemptKey(record.kind === 'Return' ? record.originalKey : record.key);
    if (group && (group.category !== category || group.root !== root)) {
      if (`${group.root}${group.category}` > `${root}${category}`) {
        throw new UnusableRecords(`The records are not in the order of their payments, at ${root}.`);
      }
      yield group;
      group = undefined;
    }
    group ??= { category, root, attempts: [], verifications: [], returns: [] };
    if (record.kind === 'Attempt') group.attempts.push(record);
    else if (record.kind === 'Verification') group.verifications.push(record);
    else group.returns.push(record);
  }
  if (group) yield group;
}

interface Draft extends RecordsOfStream {
  readonly attempts: AttemptRecord[];
  readonly verifications: VerificationRecord[];
  readonly returns: ReturnRecord[];
}

/** The attempts of each operation, operations and attempts ascending. */
export function attemptsByOperation(
  attempts: readonly AttemptRecord[],
): ReadonlyMap<OperationId, readonly (AttemptRecord & AttemptKey)[]> {
  const parsed = attempts.map((attempt) => ({ ...attempt, ...parseAttemptKey(attempt.key) }));
  parsed.sort((a, b) =>
    a.operationId === b.operationId ? a.number - b.number : a.operationId < b.operationId ? -1 : 1,
  );
  const groups = new Map<OperationId, (AttemptRecord & AttemptKey)[]>();
  for (const attempt of parsed) {
    const group = groups.get(attempt.operationId);
    if (group) group.push(attempt);
    else groups.set(attempt.operationId, [attempt]);
  }
  return groups;
}
