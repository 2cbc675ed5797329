import type { AcquirerRequest, Sandbox } from '@tillstream/sandbox';
import { SandboxFiles } from './sandbox.fixture.js';
import { SandboxBatchSender } from './sandbox-batch.sender.js';
import { attemptCall, newKey } from '../testing/index.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

const CARD = { number: '4242424242424242', expDate: '1299', cvv: '123' };
const of = {
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardNotPresent',
  currency: 'USD',
  card: CARD,
} as const;
const sale = (amount: number): AcquirerRequest => ({ ...of, operation: 'Sale', key: newKey(), amount });
const clock = { realMs: Date.now(), monotonicMs: performance.now() };

/** `groups`: the number of requests in each transaction of the acquirer. */
function openSender(): {
  readonly sandbox: Sandbox;
  readonly sends: SandboxBatchSender;
  readonly groups: number[];
} {
  const sandbox = files.open();
  const groups: number[] = [];
  const counting = Object.assign(Object.create(sandbox.acquirer) as Sandbox['acquirer'], {
    runTogether: <T>(calls: readonly (() => T)[]) => {
      groups.push(calls.length);
      return sandbox.acquirer.runTogether(calls);
    },
  });
  return { sandbox, groups, sends: new SandboxBatchSender(counting, () => clock) };
}

describe('Requests of one turn of the event loop', () => {
  it('share one transaction of the ledger, and each gets its own response', async () => {
    const { sends, groups, sandbox } = openSender();
    const requests = [1_000, 940_053, 920_004, 2_000].map(sale);
    const sent = await Promise.all(requests.map((request) => sends.send(request, attemptCall(request.key))));
    expect(sent.map(({ kind }) => kind)).toEqual(['Answered', 'Answered', 'ConnectionRefused', 'Answered']);
    expect(groups).toEqual([4]);
    expect(requests.map(({ key }) => sandbox.ledger.entry(key)?.amount)).toEqual([
      1_000,
      undefined,
      undefined,
      2_000,
    ]);
  });

  it('beyond the maximum need several transactions, and keep their order', async () => {
    const { sends, groups } = openSender();
    const order: number[] = [];
    const amounts = Array.from({ length: 120 }, (_, place) => 1_000 + place);
    await Promise.all(
      amounts.map(async (amount) => {
        const request = sale(amount);
        await sends.send(request, attemptCall(request.key));
        order.push(amount);
      }),
    );
    expect(groups).toEqual([50, 50, 20]);
    expect(order).toEqual(amounts);
  });

  it('are not sent if their send window ends while they wait; the others are', async () => {
    const { sends, sandbox } = openSender();
    const [early, late] = [sale(1_000), sale(2_000)];
    const sent = Promise.all([
      sends.send(early, attemptCall(early.key)),
      sends.send(late, attemptCall(late.key, { startedAt: clock.monotonicMs, sendWithinMs: 10 })),
    ]);
    clock.monotonicMs += 11;
    expect((await sent).map(({ kind }) => kind)).toEqual(['Answered', 'TooLate']);
    expect(sandbox.acquirer.inquire(late.key)).toEqual({ kind: 'NotFound' });
  });
});
