import { NothingExecuted } from '../sandbox.errors.js';
import { SandboxFixture } from '../sandbox.fixture.js';
import { isReactionLine } from './response.checks.js';
import { EXECUTE_BODY } from './request.checks.js';
import { ConnectionRefused, executeAndReport } from './request.reporter.js';
import type { ReportedReaction } from './wire.shapes.js';

const world = new SandboxFixture();
afterAll(() => world.remove());

/** What is heard until whoever listens goes, `goneAfterMs` after the beginning. */
async function heardOf(
  request: Parameters<typeof executeAndReport>[1],
  {
    sandbox = world.open(),
    goneAfterMs = 300,
  }: { sandbox?: Parameters<typeof executeAndReport>[0]; goneAfterMs?: number } = {},
): Promise<ReportedReaction[]> {
  const heard: ReportedReaction[] = [];
  await executeAndReport(sandbox, request, (one) => heard.push(one), AbortSignal.timeout(goneAfterMs));
  return heard;
}

describe('What is heard of a request', () => {
  it('is its answer, as the checks of the wire take it', async () => {
    const request = world.card(1_000);
    expect(EXECUTE_BODY({ request })).toBeUndefined();
    const [heard, ...more] = await heardOf(request);
    expect(more).toEqual([]);
    expect(isReactionLine({ callId: 'a', key: request.key, heard })).toBe(true);
    expect(isReactionLine({ callId: 'a', key: request.key, heard, more: 1 })).toBe(false);
    for (const approvedAmount of [1.5, '1000', -1]) {
      const changed = { ...heard, answer: { ...(heard as { answer: object }).answer, approvedAmount } };
      expect(isReactionLine({ callId: 'a', key: request.key, heard: changed })).toBe(false);
    }
  });

  it('is nothing where it never answers, until nobody listens any more', async () => {
    const sandbox = world.open();
    const request = world.card(920_001);
    expect(await heardOf(request, { sandbox })).toEqual([]);
    expect(sandbox.acquirer.inquire(request.key).kind).toBe('Found');
  });

  it('is that it was refused, where amount 920004 says so; asked about before, it leaves no trace', async () => {
    const sandbox = world.open();
    const request = world.card(920_004);
    expect(sandbox.connectionRefusal.refusesConnection(request)).toBe(true);
    expect(sandbox.ledger.requestOf(request.key)).toBeUndefined();
    await expect(heardOf(request, { sandbox })).rejects.toThrow(ConnectionRefused);
    const declining = { ...request, card: { number: '4000000000000002', expDate: '1234' } };
    expect(sandbox.connectionRefusal.refusesConnection(declining)).toBe(false);
    expect(sandbox.ledger.requestOf(request.key)).toBeUndefined();
  });

  it('is never that nothing was executed, once it waits for a customer', async () => {
    const { acquirer, ...sandbox } = world.open();
    sandbox.terminals.set('pmt_trm_1', { mode: 'Manual', card: null });
    let looks = 0;
    const failing = Object.assign(Object.create(acquirer) as typeof acquirer, {
      pollCustomer: (key: string) => {
        if (looks++ < 2) throw new NothingExecuted(new Error('database is locked'));
        return acquirer.pollCustomer(key);
      },
    });
    setTimeout(() => sandbox.customers.act('pmt_trm_1', { action: 'Tap' }), 50);
    const heard = await heardOf(world.terminal(1_000), {
      sandbox: { ...sandbox, acquirer: failing },
      goneAfterMs: 10_000,
    });
    expect(heard).toMatchObject([{ kind: 'Answered', answer: { outcome: 'Approved' } }]);
    expect(looks).toBeGreaterThan(2);
  });
});
