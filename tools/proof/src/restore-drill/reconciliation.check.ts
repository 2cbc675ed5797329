import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRun } from '../processes/tool.process.js';
import { readHistory } from './drill.history.js';
import type { CheckParts } from './drill.types.js';

export interface ReconciliationParts extends CheckParts {
  /** A directory for results. */
  readonly work: string;
  /** Of the restored events, as for `openEventStoreAt`. */
  readonly address: string;
}

/** Compares the acquirer's file with the restored history, brings in what is missing, and repeats that. */
export class ReconciliationCheck {
  constructor(private readonly parts: ReconciliationParts) {}

  /** @param missing the keys of the acquirer that the history has not, found in another way */
  async run(file: string, missing: ReadonlySet<string>): Promise<void> {
    const listed = await this.findings('list', file);
    const found = listed.filter(({ kind }) => kind === 'MissingInHistory');
    this.parts.figures['missing'] = missing.size;
    this.compareKeys(new Set(found.filter(({ amount }) => amount > 0).map(({ key }) => key)), missing);
    for (const { kind, key } of listed)
      this.parts.check(kind !== 'MissingAtProcessor' && kind !== 'Differs', `reconcile: ${kind} ${key}`);
    this.parts.figures['cards lost'] = listed.filter(({ kind }) => kind === 'CardLost').length;
    const bringIn = ['--bring-in', '--reason', 'drill of a restore'];
    const written = await this.findings('written', file, ...bringIn);
    for (const { kind, key, line } of written)
      if (kind === 'MissingInHistory')
        this.parts.check(line.includes(',Written,'), `not brought in: ${key}: ${line}`);
    const { events } = await readHistory(this.parts.address);
    const repeated = await this.findings('repeated', file, ...bringIn);
    for (const { kind, key } of repeated)
      this.parts.check(kind === 'CardLost' || kind === 'NoOutcome', `after the bring-in: ${kind} ${key}`);
    const { events: eventsAfter } = await readHistory(this.parts.address);
    this.parts.check(eventsAfter === events, `a repeated bring-in wrote ${eventsAfter - events} events`);
  }

  private async findings(name: string, file: string, ...args: readonly string[]): Promise<readonly Row[]> {
    const out = join(this.parts.work, `${name}.csv`);
    const run = await this.parts.tool('reconcile', '--file', file, '--csv', '--out', out, ...args);
    if (!existsSync(out)) throw new Error(`reconcile: ${describeRun(run)}`);
    const rows = readFileSync(out, 'utf8').trim().split('\r\n').slice(1).map(rowOf);
    const isDifferent = rows.some(({ kind, line }) => kind !== 'NoOutcome' && !line.includes(',Written,'));
    this.parts.check(run.code === (isDifferent ? 1 : 0), `reconcile (${name}): ${describeRun(run)}`);
    return rows;
  }

  private compareKeys(found: ReadonlySet<string>, expected: ReadonlySet<string>): void {
    for (const key of expected) this.parts.check(found.has(key), `${key} is missing, and was not listed`);
    for (const key of found) this.parts.check(expected.has(key), `${key} was listed, and is not missing`);
  }
}

interface Row {
  readonly kind: string;
  readonly key: string;
  /** Cents that the processor approved. */
  readonly amount: number;
  readonly line: string;
}

/** Only the last cell, a sentence, may have quotes. */
function rowOf(line: string): Row {
  const cells = line.split(',');
  const [kind = '', key = ''] = cells;
  return { kind, key, amount: Number(cells[8]), line };
}
