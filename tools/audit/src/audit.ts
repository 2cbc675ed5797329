import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchEvent, MonthEndEvent, SettlementEvent } from '@tillstream/domain';
import { TrialBalance, type AccountBalances } from '@tillstream/ledger';
import { noLog, sandboxBooks, withStores, type Config, type Stores } from '@tillstream/platform';
import { PROJECTIONS, type ReadModels } from '@tillstream/read-models';
import { checkBatch } from './batches.check.js';
import { Findings, type CheckName } from './findings.js';
import {
  readHistory,
  rootOf,
  type IntakeResult,
  type PageRecord,
  type PlacedEvent,
} from './history.reader.js';
import { SettlementLedger } from './ledger.check.js';
import { checkList } from './lists.check.js';
import { checkMonths } from './months.check.js';
import type { ProcessorScope } from './movements.check.js';
import { checkPayment } from './payments.check.js';
import { SettlementAnswers } from './settlement.answers.js';
import { SettlementLookup } from './settlement.lookup.js';
import { checkSettlement } from './settlements.check.js';
import { WorkingFile, type StoredRecord } from './working.file.js';

export interface AuditOptions {
  readonly checks: ReadonlySet<CheckName>;
  /** Where the working file is made. */
  readonly workDirectory: string;
  readonly signal?: AbortSignal;
  onPhase?(phase: string, unit: string): void;
  onProgress?(count: number): void;
}

export interface AuditCounts {
  readonly events: number;
  readonly payments: number;
  readonly batches: number;
  readonly settlements: number;
  /** Batches and settlements that were being made while the history was read. */
  readonly unfinished: number;
  readonly movements: number;
  readonly rows: number;
}

export interface AuditResult {
  readonly findings: Findings;
  readonly counts: AuditCounts;
  readonly balances: readonly AccountBalances[];
}

/**
 * Compares everything that says where money is. Changes nothing but the lists that it brings up to date, and what it works
 * with is one page of events, one payment and one settlement at a time.
 * @throws Error if a store can't be read, and the signal's reason when it aborts
 */
export async function audit(config: Config, options: AuditOptions): Promise<AuditResult> {
  return withStores(config, { access: 'read', lists: 'Checked', log: noLog }, async (stores) => {
    const run = new AuditRun(config, stores, options);
    return run.run();
  });
}

/** A list of rows exists once the service has run. Those in a database are made with its other tables. */
export function hasLists({ dataDir, sharedStore }: Pick<Config, 'dataDir' | 'sharedStore'>): boolean {
  return sharedStore === 'postgres' || existsSync(join(dataDir, 'read-models'));
}

class AuditRun {
  private readonly findings: Findings;
  private readonly counts = {
    ...{ events: 0, payments: 0, batches: 0, settlements: 0, unfinished: 0, movements: 0, rows: 0 },
  };

  constructor(
    private readonly config: Config,
    private readonly stores: Stores,
    private readonly options: AuditOptions,
  ) {
    this.findings = new Findings(options.checks);
  }

  async run(): Promise<AuditResult> {
    const { checks, workDirectory } = this.options;
    const models = hasLists(this.config) ? await this.stores.readModels() : undefined;
    if (checks.has('lists')) await this.checkLists(models);
    const isMoney = [...checks].some((check) => check !== 'lists');
    const file = isMoney ? new WorkingFile(workDirectory) : undefined;
    try {
      const balances = file ? await this.checkMoney(file, models) : [];
      return { findings: this.findings, counts: this.counts, balances };
    } finally {
      file?.close();
    }
  }

  private async checkLists(models: ReadModels | undefined): Promise<void> {
    const { dataDir } = this.config;
    if (!models) throw new Error(`there are no lists in ${join(dataDir, 'read-models')} to compare with`);
    const { signal } = this.options;
    for (const projection of PROJECTIONS) {
      this.phase(`Comparing the list ${projection}`, 'events');
      const onProgress = ({ events }: { readonly events: number }): void => this.progress(events);
      const options = { onProgress, ...(signal && { signal }) };
      this.counts.rows += await checkList(models, this.findings, projection, options);
    }
  }

  private async checkMoney(
    file: WorkingFile,
    models: ReadModels | undefined,
  ): Promise<readonly AccountBalances[]> {
    const store = await this.stores.events();
    const readAt = Date.now();
    this.phase('Reading the history', 'events');
    const { signal } = this.options;
    const onProgress = (events: number): void => this.progress(events);
    const history = await readHistory(store, file, { onProgress, ...(signal && { signal }) });
    this.counts.events = history.events;
    const processors = this.readBooks(file, history, readAt);
    const settlements = new SettlementLookup(file);
    const trial = new TrialBalance();
    const ledger = new SettlementLedger(trial, this.findings);
    await this.checkPayments(file, { settlements, trial, ledger, processors });
    await this.checkBatches(file, settlements);
    const answers =
      models && this.options.checks.has('ledger')
        ? new SettlementAnswers(models.queries.settlements, store, this.findings)
        : undefined;
    return this.checkSettlements(file, { settlements, ledger, answers });
  }

  /** Read after the history: a processor executes before the history knows. */
  private readBooks(file: WorkingFile, { serviceTime }: IntakeResult, readAt: number): ProcessorScope {
    const compared = new Set<string>();
    const scope = { compared, readAt, serviceTime, skipped: new Map<string, number>() };
    if (!this.options.checks.has('processor')) return scope;
    this.phase('Reading the books of the processors', 'movements');
    for (const { processor, movements } of sandboxBooks(this.config)) {
      const all = movements();
      if (!all) continue;
      compared.add(processor);
      file.together(() => {
        for (const movement of all) {
          const { key, kind, amount, at, noticeUnderWay, root } = movement;
          file.addMovement(rootOf(root), { processor, key, kind, amount, at, noticeUnderWay });
          this.counts.movements += 1;
          if (this.counts.movements % 1_000 === 0) this.progress(this.counts.movements);
        }
      });
    }
    return scope;
  }

  private async checkPayments(
    file: WorkingFile,
    parts: Pick<Parameters<typeof checkPayment>[0], 'settlements' | 'trial' | 'ledger' | 'processors'>,
  ): Promise<void> {
    this.phase('Comparing payments', 'payments');
    for (const payment of file.payments()) {
      checkPayment({ ...parts, file, findings: this.findings }, payment);
      this.counts.payments += 1;
      await this.turn(this.counts.payments);
    }
    for (const [processor, count] of parts.processors.skipped) {
      const name = processor === '' ? 'an unnamed processor' : `the processor "${processor}"`;
      this.findings.notes.push(`${count} movements of ${name} were not compared: its books are not here.`);
    }
  }

  private async checkBatches(file: WorkingFile, settlements: SettlementLookup): Promise<void> {
    this.phase('Comparing batches', 'batches');
    const parts = { file, findings: this.findings, settlements };
    for (const { id, data } of groupsOf<PlacedEvent<BatchEvent>>(file.records('batch'))) {
      if (checkBatch(parts, id, data)) this.counts.unfinished += 1;
      this.counts.batches += 1;
      await this.turn(this.counts.batches);
    }
    for (const id of file.sumIds('batch')) {
      if (file.recordsOf('batch', id).length === 0)
        this.findings.add('sums', 'batch', id, { expected: 'its events', found: 'only items that it took' });
    }
  }

  private async checkSettlements(
    file: WorkingFile,
    {
      settlements,
      ledger,
      answers,
    }: {
      readonly settlements: SettlementLookup;
      readonly ledger: SettlementLedger;
      readonly answers: SettlementAnswers | undefined;
    },
  ): Promise<readonly AccountBalances[]> {
    this.phase('Comparing settlements', 'settlements');
    const parts = { file, findings: this.findings, settlements };
    for (const { id, data } of groupsOf<PlacedEvent<SettlementEvent>>(file.records('settlement'))) {
      const settlement = checkSettlement(parts, id, data);
      if (settlement) {
        ledger.add(settlement);
        await answers?.check(settlement);
      }
      this.counts.settlements += 1;
      await this.turn(this.counts.settlements);
    }
    for (const { id, data } of groupsOf<PlacedEvent<MonthEndEvent>>(file.records('month')))
      checkMonths(parts, id, data);
    for (const { id, data } of file.records<PageRecord>('page')) {
      if (settlements.find(id)?.isCreated) ledger.addPage(data);
    }
    return ledger.check();
  }

  private phase(phase: string, unit: string): void {
    this.options.signal?.throwIfAborted();
    this.options.onPhase?.(phase, unit);
  }

  private progress(count: number): void {
    this.options.onProgress?.(count);
  }

  /** Shows progress, and lets signals in. */
  private async turn(count: number): Promise<void> {
    if (count % 500 !== 0) return;
    this.progress(count);
    await new Promise(setImmediate);
    this.options.signal?.throwIfAborted();
  }
}

/** Records in groups of the same id. */
function* groupsOf<Data>(records: Iterable<StoredRecord<unknown>>): Generator<{ id: string; data: Data[] }> {
  let group: { id: string; data: Data[] } | undefined;
  for (const { id, data } of records) {
    if (group?.id === id) group.data.push(data as Data);
    else {
      if (group) yield group;
      group = { id, data: [data as Data] };
    }
  }
  if (group) yield group;
}
