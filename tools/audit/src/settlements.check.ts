import type {
  Adjustment,
  BatchEvent,
  KindTotals,
  SettlementCreated,
  SettlementEvent,
  SettlementLine,
  SettlementStarted,
  SettlementSums,
} from '@tillstream/domain';
import {
  expectedLines,
  expectedSettlement,
  SETTLEMENT_PARTS,
  type PartSum,
  type SettlementPart,
  type SettlementParts,
} from '@tillstream/ledger';
import { adjustedKind, adjustmentsOf } from './batches.check.js';
import { money, type Findings } from './findings.js';
import { closedTotals, type PageRecord, type PlacedEvent } from './history.reader.js';
import type { SettlementLookup } from './settlement.lookup.js';
import type { WorkingFile } from './working.file.js';

interface SettlementCheckParts {
  readonly file: WorkingFile;
  readonly findings: Findings;
  readonly settlements: SettlementLookup;
}

/** A settlement whose pages are all stored. */
export interface CreatedSettlement {
  readonly started: SettlementStarted;
  readonly created: SettlementCreated;
  readonly fundedAt?: string;
  /** As the batch took them. */
  readonly adjustments: readonly Adjustment[];
}

const NONE: PartSum = { count: 0, amount: 0 };

/**
 * Totals = lines = items, of a settlement and of each of its pages; and what the ledger of payments gives for it. Undefined
 * while it is being made.
 */
export function checkSettlement(
  parts: SettlementCheckParts,
  settlementId: string,
  events: readonly SettlementEvent[],
): CreatedSettlement | undefined {
  const start = events.find(({ type }) => type === 'SettlementStarted');
  const creation = events.find(({ type }) => type === 'SettlementCreated');
  const funding = events.find(({ type }) => type === 'SettlementFunded');
  if (start?.type !== 'SettlementStarted' || creation?.type !== 'SettlementCreated') return undefined;
  const { data: started } = start;
  const { data: created } = creation;
  const check = new OneSettlement(parts, settlementId, started, created);
  check.template();
  check.pages();
  check.totals();
  check.batch();
  check.ledger();
  return {
    ...{ started, created, adjustments: check.adjustments },
    ...(funding?.type === 'SettlementFunded' && { fundedAt: funding.data.at }),
  };
}

class OneSettlement {
  readonly adjustments: readonly Adjustment[];
  /** Of the items of all pages. */
  private readonly items: Partial<Record<SettlementPart, PartSum>> = {};
  private readonly batchEvents: readonly BatchEvent[];

  constructor(
    private readonly parts: SettlementCheckParts,
    private readonly id: string,
    private readonly started: SettlementStarted,
    private readonly created: SettlementCreated,
  ) {
    const records = parts.file.recordsOf<PlacedEvent<BatchEvent>>('batch', started.batchId);
    this.batchEvents = records.map(({ data }) => data);
    const hasAdjustments = adjustedKind(this.batchEvents) === started.kind;
    this.adjustments = hasAdjustments ? adjustmentsOf(this.batchEvents) : [];
  }

  template(): void {
    const { pricing } = this.started;
    const template = this.parts.settlements.find(this.id)?.template;
    const terms = (one: typeof template) =>
      one && [one.templateId, one.rules, one.monthlyFee, one.returnFee, one.chargebackFee];
    const name = (one: typeof template): string => (one ? `${one.templateId} "${one.name}"` : 'no template');
    if (JSON.stringify(terms(template)) === JSON.stringify(terms(pricing))) return;
    const isSame = template?.templateId === pricing?.templateId;
    this.parts.findings.add('fees', `template at ${this.started.cutOffAt} of`, this.id, {
      expected: isSame ? `the terms of ${name(template)}` : name(template),
      found: isSame ? 'other terms' : name(pricing),
    });
  }

  pages(): void {
    let last: PageRecord | undefined;
    let count = 0;
    for (const { data: page } of this.parts.file.recordsAfter<PageRecord>('page', this.id, 0)) {
      count += 1;
      for (const part of SETTLEMENT_PARTS) this.items[part] = added(this.items[part], page.items[part]);
      this.compare(`sums up to page ${page.page} of`, this.items, page.sums);
      for (const { operationId, amount, lines } of page.wrongFees)
        this.differs(`fee of ${operationId} in`, `its lines, ${money(lines)}`, money(amount));
      if (page.page !== count) this.differs('page of', `page ${count}`, `page ${page.page}`);
      last = page;
    }
    this.parts.findings.compare('sums', 'number of pages of', this.id, [count, this.created.pages]);
    if (last && !last.isLast) this.differs('last page of', 'the last one', `page ${last.page} of more`);
    this.compare('sums of', this.items, this.created.sums);
  }

  /** The totals from the items, and the lines. */
  totals(): void {
    const { fundingType, adjustments, currency } = this.started;
    const facts = { fundingType, adjustments, parts: this.items };
    const expected = expectedSettlement(facts);
    for (const [name, amount] of Object.entries(expected)) {
      const found = this.created[name as keyof typeof expected];
      this.parts.findings.compare('sums', `${name} of`, this.id, [amount, found]);
    }
    const lines = this.created.lines.map(lineText).sort().join('; ');
    this.parts.findings.compare('sums', 'lines of', this.id, [expectedLines(facts).sort().join('; '), lines]);
    const sum = this.created.lines.reduce((total, { amount }) => total + amount, 0);
    if (sum !== this.created.amount)
      this.differs('amount of', `its lines, ${money(sum, currency)}`, money(this.created.amount, currency));
  }

  /** What the batch closed with. */
  batch(): void {
    const { batchId, kind, expected } = this.started;
    const totals = closedTotals(this.batchEvents);
    const texts = [this.adjustments, this.started.adjustments].map(adjustmentsText);
    this.parts.findings.compare('sums', `adjustments of ${batchId} in`, this.id, [texts[0], texts[1]]);
    const settled = this.batchEvents.find(({ type }) => type === 'BatchSettled');
    const named = settled?.type === 'BatchSettled' ? settled.data.settlements : [];
    for (const { settlementId, transactionCount, amount } of named) {
      if (settlementId !== this.id) continue;
      this.parts.findings.compare('sums', `what ${batchId} says of`, this.id, [
        itemsText(this.created.transactionCount, this.created.amount),
        itemsText(transactionCount, amount),
      ]);
    }
    const closed = totals && (kind === 'Card' ? totals.card : totals.bank);
    if (!closed) return this.differs('batch of', batchId, 'no closed batch');
    this.parts.findings.compare('sums', `totals of ${batchId} in`, this.id, [closed, expected]);
    const takenBack = added(this.items.returns, this.items.chargebacks);
    const items: KindTotals = {
      sales: this.items.sales ?? NONE,
      refunds: this.items.refunds ?? NONE,
      returns: takenBack,
    };
    for (const part of ['sales', 'refunds', 'returns'] as const) {
      const { count, amount } = closed[part];
      const { count: found, amount: sum } = items[part];
      this.parts.findings.compare('sums', `${part} of ${batchId} in`, this.id, [
        itemsText(count, amount),
        itemsText(found, sum),
      ]);
    }
  }

  /** What the ledger of its payments and adjustments owes. */
  ledger(): void {
    const { fundingType, currency } = this.started;
    const { adjustments } = this;
    const parts = this.parts.file.sumsOf('settlement', this.id) as SettlementParts;
    const { amount, transactionCount } = expectedSettlement({ fundingType, adjustments, parts });
    this.parts.findings.compare('ledger', 'payable of', this.id, [
      `${money(amount, currency)} for ${transactionCount} items`,
      `${money(this.created.amount, currency)} for ${this.created.transactionCount} items`,
    ]);
  }

  private compare(what: string, items: SettlementParts, stored: SettlementSums): void {
    for (const part of SETTLEMENT_PARTS) {
      const expected = items[part] ?? NONE;
      const found = stored[part];
      this.parts.findings.compare('sums', `${part} in the ${what}`, this.id, [
        itemsText(expected.count, expected.amount),
        itemsText(found.count, found.amount),
      ]);
    }
  }

  private differs(what: string, expected: string, found: string): void {
    this.parts.findings.add('sums', what, this.id, { expected, found });
  }
}

function added(a: PartSum = NONE, b: PartSum = NONE): PartSum {
  return { count: a.count + b.count, amount: a.amount + b.amount };
}

const itemsText = (count: number, amount: number): string => `${count} items of ${money(amount)}`;

function lineText({ type, feeType, count, amount }: SettlementLine): string {
  return `${type}${feeType === undefined ? '' : ` ${feeType}`} ${count} ${amount}`;
}

function adjustmentsText(all: readonly Adjustment[]): string {
  const texts = all.map(({ adjustmentId, kind, amount, month }) =>
    [kind, month, adjustmentId, money(amount)].filter((part) => part !== undefined).join(' '),
  );
  return texts.length === 0 ? 'none' : texts.join(', ');
}
