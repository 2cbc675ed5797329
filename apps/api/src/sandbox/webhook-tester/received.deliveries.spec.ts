import { ReceivedDeliveries } from './received.deliveries.js';

const arrived = (messageId: string | undefined, body = '{}') => ({
  ...{ messageId, body, receivedAt: '2026-03-01T12:00:00.000Z', verification: 'Managed', answered: 200 },
  headers: [],
});

describe('The deliveries that the tester shows', () => {
  it('are numbered, and each counts the attempts of its message', () => {
    const deliveries = new ReceivedDeliveries();
    for (const id of ['msg_1', 'msg_2', 'msg_1', undefined, undefined]) deliveries.add(arrived(id));
    const shown = deliveries.after(0).map(({ number, attempt }) => [number, attempt]);
    expect(shown).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 1],
    ]);
    expect(deliveries.after(4).map(({ number }) => number)).toEqual([5]);
  });

  it('are the last 100, with at most 20,000 characters of each body', () => {
    const deliveries = new ReceivedDeliveries();
    for (let at = 0; at < 150; at += 1) deliveries.add(arrived('msg_1', 'x'.repeat(30_000)));
    const shown = deliveries.after(0);
    expect([shown.length, shown[0]?.number, shown.at(-1)?.attempt]).toEqual([100, 51, 150]);
    expect(shown[0]?.body).toHaveLength(20_000);
  });
});
