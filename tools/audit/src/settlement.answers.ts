import { setTimeout } from 'node:timers/promises';
import type { Settlement } from '@tillstream/contracts';
import { settlementCodec, streamOfSettlement } from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import type { ReadModels } from '@tillstream/read-models';
import { money, type Findings } from './findings.js';
import type { CreatedSettlement } from './settlements.check.js';

/** A row that is written a moment later than its event is late, not wrong. */
const LATE_ROWS_TIMEOUT_MS = 3_000;
/** Of one audit, so that a list which is wrong as a whole does not take hours. */
const WAITING_MS_MAX = 60_000;
const RETRY_INTERVAL_MS = 100;

/** Compares what the API answers to merchants about a settlement with the ledger: its amount, its lines, and whether it was paid. */
export class SettlementAnswers {
  private waitingMsLeft = WAITING_MS_MAX;

  constructor(
    private readonly lists: ReadModels['queries']['settlements'],
    private readonly store: EventStore,
    private readonly findings: Findings,
  ) {}

  async check({ started, created, fundedAt }: CreatedSettlement): Promise<void> {
    const { settlementId, merchantId, currency } = started;
    let expected = answerText({ ...created, currency, fundedAt });
    let found = await this.answer(merchantId, settlementId);
    const startedAt = performance.now();
    const deadline = startedAt + Math.min(LATE_ROWS_TIMEOUT_MS, this.waitingMsLeft);
    while (found !== expected && performance.now() < deadline) {
      await setTimeout(RETRY_INTERVAL_MS);
      expected = answerText({
        ...created,
        currency,
        fundedAt: fundedAt ?? (await this.fundedSince(settlementId)),
      });
      found = await this.answer(merchantId, settlementId);
    }
    this.waitingMsLeft -= performance.now() - startedAt;
    this.findings.compare('ledger', 'answer about', settlementId, [expected, found]);
  }

  private async answer(merchantId: string, settlementId: string): Promise<string> {
    const text = await this.lists.find(merchantId, settlementId);
    if (text === undefined) return 'none';
    const { fundedAt, ...body } = JSON.parse(text) as Settlement;
    return answerText({ ...body, fundedAt });
  }

  /** It may have been funded after the history was read. */
  private async fundedSince(settlementId: string): Promise<string | undefined> {
    const recorded = await readWholeStream(this.store, streamOfSettlement(settlementId) ?? '');
    const events = recorded.map((one) => fromRecorded(settlementCodec, one));
    const funded = events.find(({ type }) => type === 'SettlementFunded');
    return funded?.type === 'SettlementFunded' ? funded.data.at : undefined;
  }
}

interface Answer {
  readonly amount: number;
  readonly grossAmount: number;
  readonly refundAmount: number;
  readonly feeAmount: number;
  readonly adjustmentAmount: number;
  readonly transactionCount: number;
  readonly lines: readonly { readonly type: string; readonly count: number; readonly amount: number }[];
  readonly currency: string;
  readonly fundedAt: string | undefined;
}

function answerText({ currency, fundedAt, lines, ...totals }: Answer): string {
  const { amount, grossAmount, refundAmount, feeAmount, adjustmentAmount, transactionCount } = totals;
  const parts = [grossAmount, -refundAmount, -feeAmount, adjustmentAmount].map((one) => money(one)).join(' ');
  const shown = lines.map(({ type, count, amount: line }) => `${type} ${count} ${money(line)}`).join(', ');
  const paid = fundedAt === undefined ? 'not paid' : `paid at ${fundedAt}`;
  return `${money(amount, currency)} (${parts}; ${transactionCount} items; ${shown}), ${paid}`;
}
