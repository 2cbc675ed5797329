import type { Channel, Currency } from '@tillstream/domain';
import {
  bookEvent,
  calculateFee,
  cardTypeOf,
  expectedItems,
  feeEntries,
  movementOf,
  partOfItem,
  partsOfFee,
  paymentEntries,
  paymentSums,
  type CalculatedFee,
  type ExpectedItem,
  type ExpectedMovement,
  type PaymentBook,
  type TrialBalance,
} from '@tillstream/ledger';
import { money, type Findings } from './findings.js';
import type { OverClosing } from './history.reader.js';
import type { SettlementLedger } from './ledger.check.js';
import { feeText, itemName, nameOf, namesOf } from './item.texts.js';
import { checkMovements, type ProcessorScope } from './movements.check.js';
import type { SettlementLookup } from './settlement.lookup.js';
import type { FoundItem, PaymentRecords, WorkingFile } from './working.file.js';

export interface PaymentParts {
  readonly file: WorkingFile;
  readonly findings: Findings;
  readonly settlements: SettlementLookup;
  readonly trial: TrialBalance;
  readonly ledger: SettlementLedger;
  readonly processors: ProcessorScope;
}

/** Compares a payment's own history with the items of settlements, with their fees, and with the processor's books. */
export function checkPayment(parts: PaymentParts, { root, events, items, movements }: PaymentRecords): void {
  const { findings, trial } = parts;
  let book: PaymentBook | undefined;
  const moved: ExpectedMovement[] = [];
  for (const event of events) {
    for (const entry of paymentEntries(book, event)) trial.post(entry);
    const movement = movementOf(book, event);
    if (movement) moved.push(movement);
    book = bookEvent(book, event);
  }
  checkMovements(parts, { root, book, moved, movements });
  if (!book) {
    for (const item of items)
      findings.add('items', 'settled item', itemName(item), {
        expected: 'a payment in the history',
        found: `none, in ${item.settlementId}`,
      });
    return;
  }
  new ItemsOfPayment(parts, book).check(root, items);
}

/** The items of one payment. */
class ItemsOfPayment {
  private readonly currency: Currency;
  private readonly channel: Channel;
  private found = 0;
  private foundAmount = 0;
  private openAmount = 0;
  private isClean = true;

  constructor(
    private readonly parts: PaymentParts,
    private readonly book: PaymentBook,
  ) {
    this.currency = book.currency;
    this.channel = book.channel;
  }

  check(root: string, items: readonly FoundItem[]): void {
    const left = new Map<string, FoundItem[]>();
    for (const item of items) left.set(itemName(item), [...(left.get(itemName(item)) ?? []), item]);
    for (const expected of expectedItems(this.book)) {
      const name = nameOf(expected);
      const found = left.get(name) ?? [];
      left.delete(name);
      if (expected.taken) this.checkTaken(name, expected, found);
      else this.checkWaiting(name, expected, found);
    }
    for (const [name, found] of left) {
      for (const item of found)
        this.differs('settled item', name, 'nothing that a batch took', this.shown(item));
    }
    this.checkSum(root);
  }

  private checkTaken(name: string, expected: ExpectedItem, found: readonly FoundItem[]): void {
    const { file, settlements } = this.parts;
    const { taken, amount, type } = expected;
    if (!taken) return;
    const kind = this.channel === 'Ach' || this.channel === 'Eft' ? 'bank' : 'card';
    file.addSum('batch', taken.batchId, `${kind}.${BATCH_PART[type]}`, taken.amount);
    if (taken.repeats > 0)
      this.differs(
        'item of a batch',
        name,
        'one batch',
        `${taken.repeats + 1} batches, first ${taken.batchId}`,
      );
    if (taken.amount !== taken.expected)
      this.differs('amount taken by a batch', name, this.text(taken.expected), this.text(taken.amount));
    // What happened after the batch changes no settlement: people have to settle it.
    if (taken.expected !== amount)
      this.differs('amount after the batch', name, this.text(amount), this.text(taken.expected));
    const settlementId = settlements.ofItem(taken.batchId, this.channel);
    const settlement = settlements.find(settlementId);
    const fee = calculateFee(settlement?.template, {
      ...{ type, channel: this.channel, amount: taken.expected },
      cardType: cardTypeOf(this.book, expected),
    });
    this.postToSettlement(settlementId, expected, fee);
    const [first, ...others] = found;
    if (others.length > 0)
      this.differs('settled item', name, 'once', `${found.length} times, in ${namesOf(found)}`);
    if (!first) {
      if (settlement?.isCreated)
        this.differs('settled item', name, `${this.text(taken.expected)} in ${settlementId}`, 'nothing');
      else this.openAmount += taken.expected;
      return;
    }
    for (const item of found) {
      this.foundAmount += item.amount;
      this.checkItem(name, expected, item);
    }
    this.found += found.length;
  }

  private checkItem(name: string, expected: ExpectedItem, item: FoundItem): void {
    const { taken } = expected;
    const settlementId = this.parts.settlements.ofItem(taken?.batchId ?? '', this.channel);
    const settlement = this.parts.settlements.find(settlementId);
    if (item.settlementId !== settlementId)
      this.differs('settlement of the item', name, settlementId, item.settlementId);
    if (item.amount !== taken?.expected)
      this.differs(
        'amount of the settled item',
        name,
        this.text(taken?.expected ?? 0),
        this.text(item.amount),
      );
    const cardType = cardTypeOf(this.book, expected);
    const { channel } = this;
    const priced = calculateFee(settlement?.template, {
      type: item.type,
      channel,
      amount: item.amount,
      cardType,
    });
    this.parts.findings.compare('fees', `fee in ${item.settlementId} of`, name, [
      feeText(priced, this.currency),
      feeText(item.fee, this.currency),
    ]);
  }

  private postToSettlement(
    settlementId: string,
    { type, taken, operationId }: ExpectedItem,
    fee?: CalculatedFee,
  ): void {
    const { file, settlements, trial, ledger } = this.parts;
    const amount = taken?.expected ?? 0;
    const settlement = settlements.find(settlementId);
    // The fees of a settlement follow when it is created.
    if (!settlement?.isCreated) return ledger.addUnfinished(this.book, amount);
    file.addSum('settlement', settlementId, partOfItem(type), amount);
    if (!fee) return;
    for (const [part, line] of partsOfFee(fee)) file.addSum('settlement', settlementId, part, line);
    for (const entry of feeEntries(this.book, operationId, settlement.started.fundingType, fee))
      trial.post(entry);
  }

  private checkWaiting(name: string, expected: ExpectedItem, found: readonly FoundItem[]): void {
    const { amount, movedAt } = expected;
    this.openAmount += amount;
    const missed = this.missedClosing(expected);
    if (missed)
      this.differs(
        'item',
        name,
        `${this.text(amount)} of ${movedAt} in ${missed.batchId} or before`,
        'in no batch',
      );
    for (const item of found)
      this.differs('settled item', name, 'nothing: no batch took it', this.shown(item));
  }

  /** A closing that is over and should have taken it. */
  private missedClosing({ movedAt, place, operation }: ExpectedItem): OverClosing | undefined {
    const owner = `${this.book.merchantId} ${this.currency}`;
    for (const { data } of this.parts.file.recordsAfter<OverClosing>('closing', owner, place)) {
      const isLeft = operation.leftBy.some(
        ({ batchId, closing }) => batchId === data.batchId && closing === data.closing,
      );
      if (data.cutOffAt > movedAt && !isLeft) return data;
    }
    return undefined;
  }

  /** Settled and not yet settled = captured − voided − refunded − returned − charged back. */
  private checkSum(root: string): void {
    const { net, captured, voided, refunded, returned, chargedBack } = paymentSums(this.book);
    const settled = this.foundAmount + this.openAmount;
    if (!this.isClean || settled === net) return;
    const parts = [captured, -voided, -refunded, -returned, -chargedBack]
      .map((part) => money(part))
      .join(' ');
    this.differs(
      'payment',
      root,
      `${this.text(net)} (${parts})`,
      `${this.text(settled)} in ${this.found} items`,
    );
  }

  private differs(what: string, name: string, expected: string, found: string): void {
    this.isClean = false;
    this.parts.findings.add('items', what, name, { expected, found });
  }

  private text(amount: number): string {
    return money(amount, this.currency);
  }

  private shown({ amount, settlementId }: FoundItem): string {
    return `${this.text(amount)} in ${settlementId}`;
  }
}

const BATCH_PART = {
  Sale: 'sales',
  Capture: 'sales',
  Refund: 'refunds',
  UnreferencedRefund: 'refunds',
  Return: 'returns',
  Chargeback: 'returns',
} as const;
