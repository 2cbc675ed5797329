import {
  accepted,
  eventCodec,
  foldOf,
  ImpossibleHistory,
  rejected,
  type Decision,
  type Event,
} from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import { isId, ulidOfHash } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';

/*
 * One batch of a merchant and currency, from its opening to its totals, and every rule about it. Stream
 * `batch-<26 characters of its id>`. The items are recorded in the streams of their payments.
 */

export const BATCH_CATEGORY = 'batch';

/** The text whose hash gives the batch's id. So the number of a batch gives its stream without a lookup. */
export function batchHashInput(merchantId: string, currency: string, number: number): string {
  return `batch/${merchantId}/${currency}/${number}`;
}

/** @throws RangeError below 16 bytes */
export function formatBatchId(hash: Uint8Array): string {
  return `bat_${ulidOfHash(hash)}`;
}

/** Undefined if the text is not a `bat_` id. */
export function streamOfBatch(batchId: string): string | undefined {
  return isId('bat_', batchId) ? `${BATCH_CATEGORY}-${batchId.slice('bat_'.length)}` : undefined;
}

export function batchIdFromStream(stream: string): string {
  return `bat_${stream.slice(BATCH_CATEGORY.length + 1)}`;
}

/** Storage: these shapes never change (docs/adr/0014). */
export type BatchEvent =
  | Event<'BatchOpened', BatchOpened>
  | Event<'BatchClosing', BatchClosing>
  | Event<'BatchStayedOpen', BatchStayedOpen>
  | Event<'BatchClosed', BatchClosed>
  | Event<'BatchSettled', BatchSettled>;

export interface BatchOpened {
  readonly at: string;
  readonly batchId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** From 1, without gaps, for each merchant and currency. */
  readonly number: number;
  /** The cut-off of the batch before; for the first batch, the creation of the merchant. */
  readonly openedAt: string;
}

/** Fixes what belongs to the batch: items whose money moved before `cutOffAt` and which were stored before this event. */
export interface BatchClosing {
  readonly at: string;
  /** From 1. A closing that finds no items leaves the batch open; the next closing has the next number. */
  readonly closing: number;
  /** The cut-off itself, even if the batch closer runs late; for an operator's command, the time of the command. */
  readonly cutOffAt: string;
  readonly cause: 'CutOff' | 'Operator';
}

/** An empty batch stays open (`docs/spec/operators.md#batches`). */
export type BatchStayedOpen = Pick<BatchClosing, 'at' | 'closing'>;

export interface BatchClosed extends BatchTotals, Omit<BatchClosing, 'cause'> {}

/** Each of its settlements was created. The next batch is closed after that. */
export interface BatchSettled {
  readonly at: string;
  readonly settlements: readonly BatchSettlement[];
}

export interface BatchSettlement {
  readonly settlementId: string;
  readonly kind: 'Card' | 'Bank';
  readonly transactionCount: number;
  /** Signed cents that are paid out. */
  readonly amount: Cents;
}

/** The sums of its `Batched` events. Cards and bank payments are funded on different days. */
export interface BatchTotals {
  readonly transactionCount: number;
  /** Signed cents: the total of the sums below. */
  readonly amount: Cents;
  readonly card: KindTotals;
  readonly bank: KindTotals;
}

export interface KindTotals {
  /** Sales and captures. */
  readonly sales: ItemTotals;
  /** Refunds, also unreferenced ones. */
  readonly refunds: ItemTotals;
  /** Returns by a bank, and chargebacks. */
  readonly returns: ItemTotals;
}

export interface ItemTotals {
  readonly count: number;
  /** Signed cents: refunds and returns are negative. */
  readonly amount: Cents;
}

export const batchCodec = eventCodec<BatchEvent>({
  types: { BatchOpened: [], BatchClosing: [], BatchStayedOpen: [], BatchClosed: [], BatchSettled: [] },
});

export interface Batch extends Omit<BatchOpened, 'at' | 'batchId'> {
  readonly status: 'Open' | 'Closing' | 'Closed';
  readonly id: string;
  /** The last closing, running or finished. Absent before the first. */
  readonly closing?: Closing;
  /** Of a closed batch. */
  readonly totals?: BatchTotals;
  /** Of a closed batch, once all of them were created. */
  readonly settlements?: readonly BatchSettlement[];
}

/** `at`: its start. */
export interface Closing extends Omit<BatchClosing, 'closing'> {
  readonly number: number;
}

export type BatchState = { readonly status: 'None' } | Batch;

export const noBatch: BatchState = { status: 'None' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchOpened') {
    if (state.status !== 'None') throw new ImpossibleHistory('a batch is opened once');
    const { at: _at, batchId: id, ...opened } = event.data;
    return { ...opened, status: 'Open', id };
  }
  if (state.status === 'None') throw new ImpossibleHistory(`${event.type} of a batch that was never opened`);
  if (event.type === 'BatchSettled') {
    if (!waitsForSettlements(state))
      throw new ImpossibleHistory('a batch is settled once, after it was closed');
    return { ...state, settlements: event.data.settlements };
  }
  if (event.type === 'BatchClosing') {
    if (state.status !== 'Open')
      throw new ImpossibleHistory(`a batch that is ${state.status} can not start closing`);
    const { closing: number, ...closing } = event.data;
    return { ...state, status: 'Closing', closing: { ...closing, number } };
  }
  if (state.status !== 'Closing' || state.closing?.number !== event.data.closing) {
    throw new ImpossibleHistory(`${event.type} of closing ${event.data.closing}, which is not running`);
  }
  if (event.type === 'BatchStayedOpen') return { ...state, status: 'Open' };
  const { at: _at, closing: _closing, cutOffAt: _cutOffAt, ...totals } = event.data;
  return { ...state, status: 'Closed', totals };
}

export const foldBatch = foldOf(evolveBatch, noBatch);

export interface BatchRejection {
  readonly code:
    /** The batch with the next number is the open one. */
    | 'BatchClosed'
    /** The cut-off is before the end of an earlier closing. */
    | 'CutOffPassed'
    /** The parts do not add up to the total. */
    | 'WrongTotals';
  readonly message: string;
}

export type BatchDecision = Decision<BatchEvent, BatchRejection>;

export interface StartClosing extends Omit<BatchClosing, 'closing'> {
  /** For a batch that has no events yet. */
  readonly opening: Omit<BatchOpened, 'at'>;
}

/** Opens the batch if it has no events yet. Adds nothing if a closing is already running. */
export function startClosing(state: BatchState, command: StartClosing): BatchDecision {
  const { at, cutOffAt, cause, opening } = command;
  if (state.status === 'Closing') return accepted([], undefined);
  if (state.status === 'Closed') return rejected({ code: 'BatchClosed', message: 'The batch is closed.' });
  if (cutOffAt < (state.status === 'None' ? opening.openedAt : openSince(state))) {
    return rejected({
      code: 'CutOffPassed',
      message: `An earlier closing has already covered the time before ${cutOffAt}.`,
    });
  }
  const closing = (state.status === 'None' ? 0 : (state.closing?.number ?? 0)) + 1;
  const opened: BatchEvent[] =
    state.status === 'None' ? [{ type: 'BatchOpened', data: { at, ...opening } }] : [];
  return accepted([...opened, { type: 'BatchClosing', data: { at, closing, cutOffAt, cause } }], undefined);
}

/** Ends a closing after each item was taken or left for the next batch. `totals`: the sums of the taken items. */
export function completeClosing(
  state: BatchState,
  { at, closing, totals }: BatchStayedOpen & { readonly totals: BatchTotals },
): BatchDecision {
  if (state.status !== 'Closing' || state.closing?.number !== closing) return accepted([], undefined);
  const wrong = totalsError(totals);
  if (wrong !== undefined) return rejected({ code: 'WrongTotals', message: wrong });
  if (totals.transactionCount === 0) {
    return accepted([{ type: 'BatchStayedOpen', data: { at, closing } }], undefined);
  }
  const { cutOffAt } = state.closing;
  return accepted([{ type: 'BatchClosed', data: { at, closing, cutOffAt, ...totals } }], undefined);
}

/** Records that each settlement of the batch was created. Adds nothing if another process recorded it. */
export function settleBatch(state: BatchState, data: BatchSettled): BatchDecision {
  return accepted(waitsForSettlements(state) ? [{ type: 'BatchSettled', data }] : [], undefined);
}

/** It is closed, and not all of its settlements are known to be created. */
export function waitsForSettlements(state: BatchState): boolean {
  return state.status === 'Closed' && state.settlements === undefined;
}

/** A closing of it started and is not over: items are being assigned, or settlements made. */
export function isBeingClosed(state: BatchState): boolean {
  return state.status === 'Closing' || waitsForSettlements(state);
}

/** The end of the time that earlier closings cover: of the batch before, or of a closing that left this batch open. */
export function openSince({ openedAt, closing }: Batch): string {
  return closing && closing.cutOffAt > openedAt ? closing.cutOffAt : openedAt;
}

function totalsError({ transactionCount, amount, card, bank }: BatchTotals): string | undefined {
  const parts = [card, bank].flatMap(({ sales, refunds, returns }) => [sales, refunds, returns]);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const total = parts.reduce((sum, part) => sum + part.amount, 0);
  const whole = parts.every((part) => Number.isSafeInteger(part.count) && Number.isSafeInteger(part.amount));
  if (whole && count === transactionCount && total === amount) return undefined;
  return `the parts are ${count} items and ${total} cents, the whole is ${transactionCount} and ${amount}`;
}
