import { tokenStream } from '@tillstream/domain';
import type { ProcessorRecords } from '@tillstream/processors';
import { iso } from '../ports/clock.port.js';
import type { Ports } from '../parts.js';
import type { LoadedPayment } from '../stream-repository/repositories.js';
import { BroughtInPayments, missingOperations, type BringInOptions } from './bring-in.js';
import {
  attemptsByOperation,
  recordsByStream,
  UnusableRecords,
  type RecordsOfStream,
} from './payment.records.js';
import { compareAttempt, compareReturn } from './record.comparison.js';
import type { ReconciliationCounts, ReconciliationFinding } from './reconciliation.types.js';
import { UnrecordedOutcomes } from './unrecorded.outcomes.js';

export interface ReconciliationOptions extends BringInOptions {
  /** Writes what the history has not. Left out: nothing is written. */
  readonly bringsIn: boolean;
  readonly signal?: AbortSignal;
  onProgress?(phase: 'records' | 'events', count: number): void;
}

/** Keys of one file: they are held in memory, about 100 bytes each. A larger file is compared in parts. */
const KEYS_MAX = 2_000_000;

/**
 * Compares a processor's records of a time with the history, in both directions. The service may run; what it executes
 * meanwhile is later than the file. It never calls a processor.
 */
export class Reconciliation {
  private readonly payments: BroughtInPayments;
  private readonly keys = new Set<string>();
  private readonly unrecorded: UnrecordedOutcomes;

  constructor(
    private readonly ports: Pick<Ports, 'store' | 'clock' | 'timings'>,
    private readonly file: ProcessorRecords,
    private readonly options: ReconciliationOptions,
  ) {
    this.payments = new BroughtInPayments(ports, options);
    this.unrecorded = new UnrecordedOutcomes(file, (key) => this.keys.has(key), options.processor);
  }

  get counts(): ReconciliationCounts {
    return { records: this.keys.size, outcomes: this.unrecorded.outcomes };
  }

  /**
   * Each finding once: those of the records in their order, then those of the history in its order. The generator's end is
   * the end of the comparison.
   * @throws UnusableRecords, and the errors of the file's reader
   */
  async *findings(): AsyncGenerator<ReconciliationFinding> {
    const { signal, onProgress = () => undefined } = this.options;
    const records = this.file.records();
    const onRecord = (record: { readonly key?: string; readonly returnId?: string }): void => {
      signal?.throwIfAborted();
      this.remember(record.key ?? record.returnId ?? '');
      onProgress('records', this.keys.size);
    };
    for await (const group of recordsByStream(records, onRecord)) {
      yield* group.category === 'payment' ? this.ofPayment(group) : this.ofToken(group);
    }
    const { store } = this.ports;
    yield* this.unrecorded.find(store, (events) => onProgress('events', events), signal);
  }

  private remember(key: string): void {
    if (this.keys.has(key)) throw new UnusableRecords(`The key ${key} is in the file twice.`);
    if (this.keys.size >= KEYS_MAX)
      throw new UnusableRecords(`The file has more than ${KEYS_MAX} records: split it.`);
    this.keys.add(key);
  }

  private async *ofPayment(group: RecordsOfStream): AsyncGenerator<ReconciliationFinding> {
    const loaded = await this.payments.load(group.root);
    const refusals = this.options.bringsIn ? await this.bringIn(group, loaded) : undefined;
    for (const records of attemptsByOperation(group.attempts).values()) {
      for (const record of records) {
        const finding = compareAttempt(loaded.state, record);
        if (finding) yield withResult(finding, refusals, record.operationId);
      }
    }
    for (const record of group.returns) {
      const finding = compareReturn(loaded.state, record);
      if (finding) yield withResult(finding, refusals, record.returnId);
    }
  }

  /** Returns why an operation or return was not brought in, by id. */
  private async bringIn(group: RecordsOfStream, loaded: LoadedPayment): Promise<ReadonlyMap<string, string>> {
    const refusals = new Map<string, string>();
    for (const operation of missingOperations(loaded, group)) {
      const [first] = operation;
      const refusal = await this.payments.bringIn(group, operation);
      if (first && refusal !== undefined) refusals.set(first.operationId, refusal);
    }
    for (const record of group.returns) {
      const refusal = await this.payments.bringInReturn(group.root, record);
      if (refusal !== undefined) refusals.set(record.returnId, refusal);
    }
    return refusals;
  }

  /** A card that was stored after the copy: its number was in the vault alone, so only its merchant can ask for it again. */
  private async *ofToken({
    root,
    verifications,
    attempts,
  }: RecordsOfStream): AsyncGenerator<ReconciliationFinding> {
    const [wrong] = attempts;
    if (wrong)
      throw new UnusableRecords(`The key ${wrong.key} is of a stored card, and the record is of a payment.`);
    const approved = verifications.filter(({ isApproved }) => isApproved);
    if (approved.length === 0) return;
    const { events } = await this.ports.store.readStream(tokenStream(root), { limit: 1 });
    if (events.length > 0) return;
    for (const { key, merchantId, currency, at } of approved) {
      const processor = { outcome: 'verified', amount: 0 };
      yield {
        kind: 'CardLost',
        key,
        operation: 'Verify',
        merchantId,
        currency,
        amount: 0,
        at: iso(at),
        processor,
      };
    }
  }
}

function withResult(
  finding: ReconciliationFinding,
  refusals: ReadonlyMap<string, string> | undefined,
  id: string,
): ReconciliationFinding {
  if (!refusals || finding.kind !== 'MissingInHistory') return finding;
  const refusal = refusals.get(id);
  return refusal === undefined
    ? { ...finding, broughtIn: 'Written' }
    : { ...finding, broughtIn: 'Refused', refusal };
}
