import { iso } from '../ports/clock.port.js';
import {
  batches,
  batchOfOperation,
  closeBatchesSetup,
  loadBatch,
  moveClockTo,
  openBatchesSetup,
  operator,
  saleOf,
  setup,
} from '../testing/batches.setup.js';
import { settlements } from '../testing/settlements.setup.js';

/*
 * The nights in which the clocks change, with real batches. In 2026 they go from 2:00 to 3:00 on Sunday, March 8, and from
 * 2:00 back to 1:00 on Sunday, November 1.
 */

beforeEach(openBatchesSetup);
afterEach(closeBatchesSetup);

const NEW_YORK = 'America/New_York';
const ST_JOHNS = 'America/St_Johns';

/** A batch that closes in the night, the one after it, and what is expected of both settlements. */
interface Night {
  readonly timeZone: string;
  readonly cutOff: string;
  /** Noon of the day before. */
  readonly from: string;
  readonly cutOffs: readonly [first: string, second: string];
  readonly expected: readonly [first: string, second: string];
  /** When those dates begin. */
  readonly dueAt: readonly [first: string, second: string];
}

const SPRING = { from: '2026-03-07T17:00:00.000Z', timeZone: NEW_YORK } as const;
const AUTUMN = { from: '2026-10-31T16:00:00.000Z', timeZone: NEW_YORK } as const;
/** A cut-off after midnight: the first is on the Sunday itself, the second on the Monday. */
const SPRING_MORNINGS = {
  ...SPRING,
  expected: ['2026-03-09', '2026-03-10'],
  dueAt: ['2026-03-09T04:00:00.000Z', '2026-03-10T04:00:00.000Z'],
} as const;
const AUTUMN_MORNINGS = {
  ...AUTUMN,
  expected: ['2026-11-02', '2026-11-03'],
  dueAt: ['2026-11-02T05:00:00.000Z', '2026-11-03T05:00:00.000Z'],
} as const;

const NIGHTS: readonly (readonly [what: string, night: Night])[] = [
  [
    'spring, at the last minute before the skipped hour',
    {
      ...{ ...SPRING_MORNINGS, cutOff: '01:59' },
      cutOffs: ['2026-03-08T06:59:00.000Z', '2026-03-09T05:59:00.000Z'],
    },
  ],
  [
    'spring, at the beginning of the skipped hour',
    {
      ...{ ...SPRING_MORNINGS, cutOff: '02:00' },
      cutOffs: ['2026-03-08T07:00:00.000Z', '2026-03-09T06:00:00.000Z'],
    },
  ],
  [
    'spring, in the skipped hour: at 3:30',
    {
      ...{ ...SPRING_MORNINGS, cutOff: '02:30' },
      cutOffs: ['2026-03-08T07:30:00.000Z', '2026-03-09T06:30:00.000Z'],
    },
  ],
  [
    'spring, at the end of the skipped hour, which is the same instant as its beginning',
    {
      ...{ ...SPRING_MORNINGS, cutOff: '03:00' },
      cutOffs: ['2026-03-08T07:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    },
  ],
  [
    'spring, in Newfoundland, in the skipped hour: at 3:15',
    {
      ...{ ...SPRING, timeZone: ST_JOHNS, cutOff: '02:15' },
      cutOffs: ['2026-03-08T05:45:00.000Z', '2026-03-09T04:45:00.000Z'],
      expected: ['2026-03-09', '2026-03-10'],
      dueAt: ['2026-03-09T02:30:00.000Z', '2026-03-10T02:30:00.000Z'],
    },
  ],
  [
    'spring, at 22:00 before and after it: both are funded on the Monday',
    {
      ...{ ...SPRING, cutOff: '22:00' },
      cutOffs: ['2026-03-08T03:00:00.000Z', '2026-03-09T02:00:00.000Z'],
      expected: ['2026-03-09', '2026-03-09'],
      dueAt: ['2026-03-09T04:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    },
  ],
  [
    'autumn, at midnight before it',
    {
      ...{ ...AUTUMN_MORNINGS, cutOff: '00:00' },
      cutOffs: ['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    },
  ],
  [
    'autumn, at the beginning of the repeated hour: the first time',
    {
      ...{ ...AUTUMN_MORNINGS, cutOff: '01:00' },
      cutOffs: ['2026-11-01T05:00:00.000Z', '2026-11-02T06:00:00.000Z'],
    },
  ],
  [
    'autumn, in the repeated hour: the first time',
    {
      ...{ ...AUTUMN_MORNINGS, cutOff: '01:30' },
      cutOffs: ['2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z'],
    },
  ],
  [
    'autumn, after the repeated hour',
    {
      ...{ ...AUTUMN_MORNINGS, cutOff: '02:00' },
      cutOffs: ['2026-11-01T07:00:00.000Z', '2026-11-02T07:00:00.000Z'],
    },
  ],
  [
    'autumn, in Newfoundland, in the repeated hour: the first time',
    {
      ...{ ...AUTUMN, timeZone: ST_JOHNS, cutOff: '01:45' },
      cutOffs: ['2026-11-01T04:15:00.000Z', '2026-11-02T05:15:00.000Z'],
      expected: ['2026-11-02', '2026-11-03'],
      dueAt: ['2026-11-02T03:30:00.000Z', '2026-11-03T03:30:00.000Z'],
    },
  ],
  [
    'autumn, at 22:00 before and after it: both are funded on the Monday',
    {
      ...{ ...AUTUMN, cutOff: '22:00' },
      cutOffs: ['2026-11-01T02:00:00.000Z', '2026-11-02T03:00:00.000Z'],
      expected: ['2026-11-02', '2026-11-02'],
      dueAt: ['2026-11-02T05:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    },
  ],
];

const justBefore = (time: string): string => iso(Date.parse(time) - 1);

describe('over a night in which the clocks change', () => {
  it.each(NIGHTS)('a batch closes once, at its cut-off, in %s', async (_what, night) => {
    const { timeZone, cutOff, from, cutOffs, expected, dueAt } = night;
    const { id } = setup.merchant;
    await setup.useCases.provisioning.changeMerchant(operator, id, { timeZone, cutOff });
    moveClockTo(from);
    const first = await saleOf(1_000);
    moveClockTo(justBefore(cutOffs[0]));
    const lastMoment = await saleOf(200);
    expect(await batches.runDue(5_000)).toEqual({ ran: 0, pending: 0 });
    moveClockTo(cutOffs[0]);
    const second = await saleOf(30);
    expect(await batches.runDue(5_000)).toEqual({ ran: 1, pending: 0 });
    // No second cut-off in the hour that the clocks repeat.
    moveClockTo(justBefore(cutOffs[1]));
    await batches.runDue(5_000);
    expect((await loadBatch(2))?.status).not.toBe('Closed');
    moveClockTo(cutOffs[1]);
    await batches.runDue(5_000);

    const [one, other] = [await loadBatch(1), await loadBatch(2)];
    expect([one?.closing?.cutOffAt, one?.totals?.amount]).toEqual([cutOffs[0], 1_200]);
    expect([other?.closing?.cutOffAt, other?.totals?.amount]).toEqual([cutOffs[1], 30]);
    expect(other?.openedAt).toBe(cutOffs[0]);
    for (const sale of [first, lastMoment]) expect((await batchOfOperation(sale))?.id).toBe(one?.id);
    expect((await batchOfOperation(second))?.id).toBe(other?.id);
    expect(await loadBatch(3)).toBeUndefined();
    const made = await settlements();
    expect(made.map(({ expectedFundingDate }) => expectedFundingDate)).toEqual(expected);
    expect(made.map(({ fundingDueAt }) => fundingDueAt)).toEqual(dueAt);
  });

  it.each([
    ['spring', '2026-03-07T17:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['autumn', '2026-10-31T16:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ])('a settlement is funded at midnight of its date, in %s', async (_when, from, dueAt) => {
    moveClockTo(from);
    await saleOf(500);
    moveClockTo(justBefore(dueAt));
    await batches.runDue(5_000);
    expect(await settlements()).toMatchObject([{ status: 'Pending', fundingDueAt: dueAt }]);
    moveClockTo(dueAt);
    await batches.runDue(5_000);
    expect(await settlements()).toMatchObject([{ status: 'Funded', fundedAt: dueAt }]);
  });
});
