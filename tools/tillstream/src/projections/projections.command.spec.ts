import { WORK_CATEGORIES } from '@tillstream/payments';
import { projectionCategories, PROJECTIONS } from '@tillstream/read-models';
import { NUMBERED_CATEGORIES } from '@tillstream/webhook-delivery';
import { DataDirectoryFixture } from '../data-directory.fixture.js';
import { KNOWN_CATEGORIES } from './event.problem.js';

const CONSUMERS = ['webhooks', 'open-work'] as const;
/** Each of these reads payments. */
const READERS = ['transactions', ...CONSUMERS];
const AMOUNT = 918_273;
const LIMIT_MS = 120_000;

interface Shown {
  readonly name: string;
  readonly status: string;
  readonly reason?: string;
  readonly lagEvents: number;
}

describe('projections', () => {
  let fixture: DataDirectoryFixture;
  let sale: string;
  let stream: string;

  beforeEach(async () => {
    fixture = new DataDirectoryFixture({ PORT: '2' });
    await fixture.createMerchant();
    sale = await fixture.sale(AMOUNT);
    stream = `payment-${sale.slice(4, -3)}`;
  });
  afterEach(() => fixture.remove());

  const list = async (): Promise<ReadonlyMap<string, Shown>> => {
    const { out } = await fixture.run('projections', 'list', '--json');
    const { data } = JSON.parse(out) as { readonly data: readonly Shown[] };
    return new Map(data.map((one) => [one.name, one]));
  };
  const shown = async (name: string) =>
    JSON.parse((await fixture.run('projections', 'show', name, '--json')).out);
  const retryAll = async (): Promise<Record<string, string>> => {
    const results: Record<string, string> = {};
    for (const name of READERS) {
      const { out, err } = await fixture.run('projections', 'retry', name);
      results[name] = out + err;
    }
    return results;
  };
  const changeEvent = (set: string): Promise<void> =>
    fixture.tamper(`UPDATE events SET ${set} WHERE stream = '${stream}' AND revision = 2`);

  it(
    'lists every list and consumer; with a command each handles what it has not handled yet',
    async () => {
      expect([...(await list()).keys()]).toEqual([...PROJECTIONS, ...CONSUMERS]);
      expect(Object.values(await retryAll())).toEqual(
        READERS.map((name) => `${name} has handled every event.`),
      );
      const { code, out } = await fixture.run('projections');
      expect(code).toBe(0);
      for (const name of READERS)
        expect(out).toMatch(new RegExp(`^${name} +Live, up to date, handled up to position \\d+$`, 'm'));
    },
    LIMIT_MS,
  );

  it.each([
    {
      poison: 'of a type that a newer version wrote',
      halts: READERS,
      damage: "type = 'Dreamt'",
      mend: "type = 'Authorized'",
      problem: {
        kind: 'Unknown',
        revision: 2,
        reason: 'this version does not know Dreamt in schema version 1',
      },
      advice: 'Deploy the version of the program that wrote this event everywhere.',
    },
    {
      poison: 'whose content is damaged',
      // The others do not read the content: the row is there, and the payment has ended.
      halts: ['webhooks'],
      damage: "data = '!' || data",
      mend: 'data = substr(data, 2)',
      problem: { kind: 'Unreadable', revision: 2, reason: 'its data is no JSON object' },
      advice: 'Restore this event from a backup (restore-event) or another node; it must not be skipped.',
    },
  ])(
    'name an event $poison, show it without its content, and go on when the cause is corrected',
    async ({ halts, damage, mend, problem, advice }) => {
      await changeEvent(damage);
      const stopped = await retryAll();
      for (const name of halts)
        expect(stopped[name]).toMatch(new RegExp(`^${name} stopped: .*${problem.reason.slice(0, 30)}`));
      const halted = await list();
      for (const name of halts) {
        expect(halted.get(name)).toMatchObject({
          status: 'Halted',
          reason: expect.stringContaining(problem.reason) as string,
        });
        expect(await shown(name)).toMatchObject({
          next: { stream, problem, chain: expect.stringMatching(/^revision 2: /) as string },
        });
      }
      // A consumer of single events has handled those before the poison; a list folds the whole stream.
      expect((await shown('webhooks')).next).toMatchObject({ revision: 2 });
      const text = await fixture.run('projections', 'show', 'webhooks');
      expect([text.code, text.out]).toEqual([1, expect.stringContaining(advice)]);
      expect(text.out).not.toContain(String(AMOUNT));
      expect(JSON.stringify(await shown('webhooks'))).not.toContain(String(AMOUNT));
      const status = await fixture.run('status');
      for (const name of halts) expect(status.out).toContain(`${name} has halted: `);
      expect((await fixture.run('projections')).code).toBe(1);

      await changeEvent(mend);
      expect(Object.values(await retryAll())).toEqual(
        READERS.map((name) => `${name} has handled every event.`),
      );
      for (const name of READERS)
        expect((await list()).get(name)).toMatchObject({ status: 'Live', lagEvents: 0 });
      expect((await shown('transactions')).next).toBeUndefined();
      expect((await fixture.run('status')).out).not.toContain('has halted');
    },
    LIMIT_MS,
  );

  it('rebuilds a list by the tool for it, and knows no other name and no way to skip', async () => {
    await fixture.run('projections', 'rebuild', 'transactions');
    expect(fixture.toolCalls).toEqual([['rebuild', ['--projection', 'transactions']]]);
    const wrong = await fixture.run('projections', 'show', 'settlements-of-old');
    expect([wrong.code, wrong.err]).toEqual([
      1,
      `There is no settlements-of-old; there are ${[...PROJECTIONS, ...CONSUMERS].join(', ')}.`,
    ]);
    expect((await fixture.run('projections', 'skip', 'transactions')).code).toBe(2);
  });

  it('knows the events of every category that is read', () => {
    const lists = PROJECTIONS.flatMap(projectionCategories);
    expect(KNOWN_CATEGORIES).toEqual(
      expect.arrayContaining([...lists, ...NUMBERED_CATEGORIES, ...WORK_CATEGORIES]),
    );
  });
});
