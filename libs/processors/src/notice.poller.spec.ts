import { NoticePoller } from './notice.poller.js';
import type { ProcessorInbox, ProcessorNotice } from './processor.inbox.js';

const noticeOf = (id: string): ProcessorNotice => ({
  id,
  key: `trx_${id}.1`,
  content: { kind: 'Answered', answer: { kind: 'Declined', facts: { responseCode: 10 } } },
});

/** A processor with notices, and an inbox that returns `resultOf` a notice. */
function setUp(
  ids: readonly string[],
  resultOf: (id: string, count: number) => 'Stored' | 'Unknown' | 'Rejected',
) {
  const waiting = new Map(ids.map((id) => [id, noticeOf(id)]));
  const received: string[] = [];
  const reports: string[] = [];
  let isAway = false;
  const notices = new NoticePoller({
    processor: 'pier',
    everyMs: 5,
    fetch: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([...waiting.values()])),
    settle: async ({ acknowledged }) => acknowledged.forEach((id) => waiting.delete(id)),
    countDue: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(waiting.size)),
    report: (reason) => void reports.push(reason),
  });
  const inbox: ProcessorInbox = {
    receive: async (processor, { id }) => {
      received.push(`${processor} ${id}`);
      const result = resultOf(id, received.filter((entry) => entry.endsWith(id)).length);
      if (result === 'Rejected') throw new Error('the store is full');
      return result;
    },
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resume) => setTimeout(resume, 2));
  };
  return { notices, inbox, waiting, received, reports, until, away: (is: boolean) => void (isAway = is) };
}

describe('Polled notices', () => {
  it('are delivered after the service listens, and acknowledged after they are stored', async () => {
    const { notices, inbox, waiting, received, until } = setUp(['n1', 'n2'], () => 'Stored');
    await new Promise((resume) => setTimeout(resume, 20));
    expect(received).toEqual([]);
    notices.listen(inbox);
    await until(() => waiting.size === 0);
    expect(received).toEqual(['pier n1', 'pier n2']);
    await notices.stop();
  });

  it('that can not be stored come again, and do not delay the others', async () => {
    const resultOf = (id: string, count: number) => (id === 'n1' && count < 3 ? 'Rejected' : 'Stored');
    const { notices, inbox, waiting, received, reports, until } = setUp(['n1', 'n2'], resultOf);
    notices.listen(inbox);
    await until(() => waiting.size === 0);
    expect(received).toEqual(['pier n1', 'pier n2', 'pier n1', 'pier n1']);
    expect(reports).toHaveLength(2);
    expect(reports[0]).toMatch(/n1 of pier comes again: .*the store is full/);
    await notices.stop();
  });

  it('about an attempt that the processor was never given are acknowledged and reported', async () => {
    const { notices, inbox, waiting, received, reports, until } = setUp(['n1'], () => 'Unknown');
    notices.listen(inbox);
    await until(() => waiting.size === 0);
    await notices.stop();
    expect([received, reports]).toEqual([
      ['pier n1'],
      ['the notice n1 of pier is about trx_n1.1, which pier was never given'],
    ]);
  });

  it('are fetched again after the processor was unreachable', async () => {
    const { notices, inbox, waiting, reports, until, away } = setUp(['n1'], () => 'Stored');
    away(true);
    notices.listen(inbox);
    await until(() => reports.length > 1);
    away(false);
    await until(() => waiting.size === 0);
    await notices.stop();
  });

  it('`stop` waits for the notices that are being stored, and no further one is delivered', async () => {
    const ids = Array.from({ length: 40 }, (_, number) => `n${number}`);
    const { notices, waiting, received, until } = setUp(ids, () => 'Stored');
    const stores: (() => void)[] = [];
    const slow: ProcessorInbox = {
      receive: async (_, { id }) => {
        received.push(id);
        await new Promise<void>((resolve) => stores.push(resolve));
        return 'Stored';
      },
    };
    notices.listen(slow);
    await until(() => received.length === 32);
    const stopped = notices.stop();
    for (const store of stores) store();
    await stopped;
    expect([received, [...waiting.keys()]]).toEqual([ids.slice(0, 32), ids.slice(32)]);
    await new Promise((resume) => setTimeout(resume, 20));
    expect(received).toHaveLength(32);
  });

  it('are delivered at once by `deliverDue`, which counts them', async () => {
    const { notices, inbox, waiting } = setUp(['n1', 'n2'], () => 'Stored');
    expect(await notices.deliverDue()).toBe(0);
    notices.listen(inbox);
    expect([await notices.countDue(), await notices.deliverDue()]).toEqual([2, 2]);
    expect([await notices.countDue(), waiting.size]).toEqual([0, 0]);
    await notices.stop();
    expect(await notices.deliverDue()).toBe(0);
  });

  it('of a processor that is unreachable count as none', async () => {
    const { notices, inbox, reports, away } = setUp(['n1'], () => 'Stored');
    away(true);
    notices.listen(inbox);
    expect([await notices.deliverDue(), await notices.countDue()]).toEqual([0, 0]);
    await notices.stop();
    expect(reports.length).toBeGreaterThanOrEqual(2);
  });

  it('may be stopped without `listen`', async () => {
    const { notices } = setUp([], () => 'Stored');
    await expect(notices.stop()).resolves.toBeUndefined();
  });
});
