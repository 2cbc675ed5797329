import { createHash } from 'node:crypto';
import { ImpossibleHistory } from '../shared/aggregate.js';
import { MANUAL_ADJUSTMENTS_MAX, type Adjustment } from './adjustment.js';
import {
  batchHashInput,
  batchIdFromStream,
  formatBatchId,
  streamOfBatch,
  type BatchEvent,
} from './batch.events.js';
import {
  adjustBatch,
  completeClosing,
  foldBatch,
  openSince,
  settleBatch,
  startClosing,
  type Batch,
  type BatchDecision,
} from './batch.js';
import { salesOnly } from './testing/totals.testing.js';

const at = '2026-03-05T09:00:00.000Z';
const day = (number: number): string => `2026-03-0${number}T03:00:00.000Z`;
const opening = {
  batchId: 'bat_01JQ0000000000000000000000',
  merchantId: 'mer_1',
  currency: 'USD' as const,
  number: 1,
  openedAt: day(1),
};
const opened: BatchEvent = { type: 'BatchOpened', data: { at, ...opening } };
const closing = (cutOffAt: string, number = 1): BatchEvent => ({
  type: 'BatchClosing',
  data: { at, closing: number, cutOffAt, cause: 'CutOff' },
});
const stayedOpen: BatchEvent = { type: 'BatchStayedOpen', data: { at, closing: 1 } };
const closed: BatchEvent = {
  type: 'BatchClosed',
  data: { at, closing: 1, cutOffAt: day(2), ...salesOnly(2, 700) },
};

const start = (history: readonly BatchEvent[], cutOffAt: string) =>
  eventsOrCode(startClosing(foldBatch(history), { at, cutOffAt, cause: 'CutOff', opening }));
const end = (history: readonly BatchEvent[], number: number, totals = salesOnly(2, 700)) =>
  eventsOrCode(completeClosing(foldBatch(history), { at, closing: number, totals }));
const eventsOrCode = (decision: BatchDecision) =>
  decision.kind === 'Accepted' ? decision.events : decision.rejection.code;

describe('a batch', () => {
  it('gets its first events at its first closing', () => {
    expect(start([], day(2))).toEqual([opened, closing(day(2))]);
    expect(start([opened], day(2))).toEqual([closing(day(2))]);
  });

  it('is closed once, even if the command is repeated', () => {
    expect(start([opened, closing(day(2))], day(3))).toEqual([]);
    expect(start([opened, closing(day(2)), closed], day(3))).toBe('BatchClosed');
  });

  it('closes with its totals, exactly at its cut-off even if the closer runs late', () => {
    const history = [opened, closing(day(2))];
    expect(end(history, 1)).toEqual([closed]);
    expect(foldBatch([...history, closed])).toMatchObject({
      status: 'Closed',
      closing: { cutOffAt: day(2) },
      totals: { transactionCount: 2, amount: 700 },
    });
    expect(end([...history, closed], 1)).toEqual([]);
  });

  it('stays open if it is empty, and a later closing closes it', () => {
    const history = [opened, closing(day(2))];
    expect(end(history, 1, salesOnly(0, 0))).toEqual([stayedOpen]);
    expect(start([...history, stayedOpen], day(3))).toEqual([closing(day(3), 2)]);
  });

  it('ignores a paused closer that completes a finished closing', () => {
    const again = [opened, closing(day(2)), stayedOpen, closing(day(3), 2)];
    expect(end(again, 1)).toEqual([]);
    expect(end([opened, closing(day(2)), stayedOpen], 1)).toEqual([]);
    expect(end([opened], 1)).toEqual([]);
  });

  it('is settled once, after it was closed', () => {
    const data = { at, settlements: [] };
    const settle = (history: readonly BatchEvent[]) => eventsOrCode(settleBatch(foldBatch(history), data));
    const history = [opened, closing(day(2)), closed];
    const settled: BatchEvent = { type: 'BatchSettled', data };
    expect(settle(history)).toEqual([settled]);
    expect(foldBatch([...history, settled])).toMatchObject({ status: 'Closed', settlements: [] });
    for (const other of [[], [opened], [opened, closing(day(2))], [...history, settled]]) {
      expect(settle(other)).toEqual([]);
    }
    expect(() => foldBatch([...history, settled, settled])).toThrow(ImpossibleHistory);
    expect(() => foldBatch([opened, settled])).toThrow(ImpossibleHistory);
  });

  it('rejects a cut-off before the end of an earlier closing', () => {
    expect(start([], '2026-02-28T00:00:00.000Z')).toBe('CutOffPassed');
    expect(start([opened, closing(day(3)), stayedOpen], day(2))).toBe('CutOffPassed');
    const left = foldBatch([opened, closing(day(3)), stayedOpen]) as Batch;
    expect(openSince(left)).toBe(day(3));
  });

  it('never closes with sums that do not add up', () => {
    const totals = salesOnly(2, 700);
    expect(end([opened, closing(day(2))], 1, { ...totals, amount: 701 })).toBe('WrongTotals');
    expect(end([opened, closing(day(2))], 1, { ...totals, transactionCount: 3 })).toBe('WrongTotals');
  });

  it.each([
    ['is opened twice', [opened, opened]],
    ['starts with a closing', [closing(day(2))]],
    ['completes a closing that never started', [opened, closed]],
    ['is closed twice', [opened, closing(day(2)), closing(day(3), 2)]],
    ['completes another closing', [opened, closing(day(2), 2), stayedOpen]],
  ])('with a history that %s is impossible', (_title, history) => {
    expect(() => foldBatch(history)).toThrow(ImpossibleHistory);
  });
});

describe('the id of a batch', () => {
  const idOf = (number: number) =>
    formatBatchId(
      createHash('sha256')
        .update(batchHashInput('mer_1', 'USD', number))
        .digest(),
    );

  it('follows from its merchant, currency and number', () => {
    expect(idOf(1)).toMatch(/^bat_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(idOf(1)).toBe(idOf(1));
    expect(new Set(Array.from({ length: 1_000 }, (_, number) => idOf(number))).size).toBe(1_000);
  });

  it('is a ULID of the first 128 bits', () => {
    expect(formatBatchId(new Uint8Array(16))).toBe(`bat_${'0'.repeat(26)}`);
    expect(formatBatchId(new Uint8Array(32).fill(255))).toBe(`bat_7${'Z'.repeat(25)}`);
    expect(formatBatchId(Uint8Array.of(0b00100010, ...new Uint8Array(15)))).toBe(`bat_12${'0'.repeat(24)}`);
    expect(() => formatBatchId(new Uint8Array(15))).toThrow(RangeError);
  });

  it('gives its stream', () => {
    const stream = streamOfBatch(opening.batchId) ?? '';
    expect(stream).toBe('batch-01JQ0000000000000000000000');
    expect(batchIdFromStream(stream)).toBe(opening.batchId);
    for (const text of ['', 'bat_', 'stl_01JQ0000000000000000000000', `${opening.batchId}\n`]) {
      expect(streamOfBatch(text)).toBeUndefined();
    }
  });
});

describe('the adjustments of a batch', () => {
  const fee: Adjustment = { adjustmentId: 'adj_1', kind: 'MonthlyFee', at, amount: -995, month: '2026-02' };
  const manual = (number: number): Adjustment => ({
    ...{ adjustmentId: `adj_m${number}`, kind: 'Manual', at, amount: 100, reason: 'Goodwill' },
  });
  const adjusted = (data: Adjustment): BatchEvent => ({ type: 'BatchAdjusted', data });
  const adjust = (history: readonly BatchEvent[], ...adjustments: Adjustment[]) =>
    eventsOrCode(adjustBatch(foldBatch(history), { at, ...opening }, adjustments));

  it('open it if nothing else did, and are recorded once', () => {
    expect(adjust([], fee)).toEqual([opened, adjusted(fee)]);
    expect(adjust([opened], fee, manual(1))).toEqual([adjusted(fee), adjusted(manual(1))]);
    expect(adjust([opened, adjusted(fee)], fee, manual(1))).toEqual([adjusted(manual(1))]);
  });

  it('wait while it is being closed, and go to the next batch once it is closed', () => {
    const isClosing = [opened, adjusted(fee), closing(day(2))];
    expect(adjust(isClosing, manual(1))).toBe('BatchIsClosing');
    expect(adjust(isClosing, fee)).toEqual([]);
    expect(adjust([opened, closing(day(2)), closed], fee)).toBe('BatchClosed');
  });

  it('keep it from being empty', () => {
    const none = salesOnly(0, 0);
    expect(end([opened, closing(day(2))], 1, none)).toEqual([stayedOpen]);
    expect(end([opened, adjusted(fee), closing(day(2))], 1, none)).toMatchObject([
      { type: 'BatchClosed', data: { transactionCount: 0, amount: 0 } },
    ]);
  });

  it('by operators are limited; those of a month’s end are not', () => {
    const full = Array.from({ length: MANUAL_ADJUSTMENTS_MAX }, (_, number) => adjusted(manual(number)));
    expect(adjust([opened, ...full], manual(MANUAL_ADJUSTMENTS_MAX))).toBe('TooManyAdjustments');
    expect(adjust([opened, ...full], fee)).toEqual([adjusted(fee)]);
  });
});
