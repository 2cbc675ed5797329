import { NothingExecuted } from '../sandbox.errors.js';
import { SandboxFixture } from '../sandbox.fixture.js';
import { isReactionLine } from './wire.schemas.js';
import { EXECUTE_BODY } from './wire.schemas.js';
import { ConnectionRefused, executeAndReport } from './request.reporter.js';
import type { ReportedReaction } from './wire.shapes.js';

const fixture = new SandboxFixture();
afterAll(() => fixture.remove());

/** The reactions that are reported before the client aborts. */
async function reactionsTo(
  request: Parameters<typeof executeAndReport>[1],
  {
    sandbox = fixture.open(),
    abortAfterMs = 300,
  }: { sandbox?: Parameters<typeof executeAndReport>[0]; abortAfterMs?: number } = {},
): Promise<ReportedReaction[]> {
  const reactions: ReportedReaction[] = [];
  await executeAndReport(
    sandbox,
    request,
    (reaction) => reactions.push(reaction),
    AbortSignal.timeout(abortAfterMs),
  );
  return reactions;
}

describe('The reported reactions to a request', () => {
  it('are its response, which the checks of the wire accept', async () => {
    const request = fixture.card(1_000);
    expect(EXECUTE_BODY({ request })).toBeUndefined();
    const [heard, ...more] = await reactionsTo(request);
    expect(more).toEqual([]);
    expect(isReactionLine({ callId: 'a', key: request.key, heard })).toBe(true);
    expect(isReactionLine({ callId: 'a', key: request.key, heard, more: 1 })).toBe(false);
    for (const approvedAmount of [1.5, '1000', -1]) {
      const changed = { ...heard, answer: { ...(heard as { answer: object }).answer, approvedAmount } };
      expect(isReactionLine({ callId: 'a', key: request.key, heard: changed })).toBe(false);
    }
  });

  it('are none until the client aborts, if the response is lost', async () => {
    const sandbox = fixture.open();
    const request = fixture.card(920_001);
    expect(await reactionsTo(request, { sandbox })).toEqual([]);
    expect(sandbox.acquirer.inquire(request.key).kind).toBe('Found');
  });

  it('are a refusal for amount 920004; the check before it writes nothing', async () => {
    const sandbox = fixture.open();
    const request = fixture.card(920_004);
    expect(sandbox.acquirer.refusesConnection(request)).toBe(true);
    expect(sandbox.ledger.requestOf(request.key)).toBeUndefined();
    await expect(reactionsTo(request, { sandbox })).rejects.toThrow(ConnectionRefused);
    const declining = { ...request, card: { number: '4000000000000002', expDate: '1234' } };
    expect(sandbox.acquirer.refusesConnection(declining)).toBe(false);
    expect(sandbox.ledger.requestOf(request.key)).toBeUndefined();
  });

  it('are never `NothingExecuted` while a customer is awaited', async () => {
    const { acquirer, ...sandbox } = fixture.open();
    sandbox.terminals.set('pmt_trm_1', { mode: 'Manual', card: null });
    let polls = 0;
    const failing = Object.assign(Object.create(acquirer) as typeof acquirer, {
      pollCustomer: (key: string) => {
        if (polls++ < 2) throw new NothingExecuted(new Error('database is locked'));
        return acquirer.pollCustomer(key);
      },
    });
    setTimeout(() => sandbox.customers.act('pmt_trm_1', { action: 'Tap' }), 50);
    const heard = await reactionsTo(fixture.terminal(1_000), {
      sandbox: { ...sandbox, acquirer: failing },
      abortAfterMs: 10_000,
    });
    expect(heard).toMatchObject([{ kind: 'Answered', answer: { outcome: 'Approved' } }]);
    expect(polls).toBeGreaterThan(2);
  });
});
