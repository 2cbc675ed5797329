import { createServer, type Server } from 'node:net';
import { NetworkSandboxProcessor, type ProcessorResponse } from '@tillstream/processors';
import { attemptCall, inquiryFor, newKey, type ProxyFault } from '@tillstream/processors/testing';
import { NetworkFixture, sale, TERMINAL, terminalSale } from './network.fixture.js';

const stage = new NetworkFixture({ processorDeadline: 300, brokenWordDelay: 200 });
const approved = (amount: number) => ({ kind: 'Approved', amount });
const REFUSED = { kind: 'NotSent', reason: 'the processor refused the connection' };
beforeAll(() => stage.start());
afterAll(() => stage.end());
beforeEach(() => void stage.reports.splice(0));

describe('A line that fails', () => {
  it.each<[ProxyFault, 'NotFound' | 'Found', number]>([
    ['ResetBefore', 'NotFound', 0],
    ['ResetAfter', 'Found', 0],
    ['CutOff', 'Found', 0],
    ['Garbled', 'Found', 1],
    ['TooLong', 'Found', 1],
    [{ anotherIn: 'callId' }, 'Found', 1],
    ['BadGateway', 'Found', 1],
  ])('%j: no answer, an inquiry says %s, and %i reports', async (fault, what, reports) => {
    const line = await stage.faultyProxy();
    const processor = stage.processor({ url: line.url });
    line.inject(fault);
    const key = newKey();
    expect(await processor.sale(sale(1_000), attemptCall(key))).toEqual({ kind: 'NoAnswer' });
    expect((await processor.inquire(inquiryFor(key))).kind).toBe(what);
    expect(stage.reports).toHaveLength(reports);
    // As a card number begins and as its end is told; not as a port may read.
    expect(stage.reports.join()).not.toMatch(/424242|"4242"/);
    await line.close();
  });

  it.each<[ProxyFault]>([
    ['ResetBefore'],
    ['ResetAfter'],
    ['CutOff'],
    ['Garbled'],
    [{ anotherIn: 'callId' }],
  ])('of what is asked (%j) has no answer either, and the next one is right', async (fault) => {
    const line = await stage.faultyProxy();
    const processor = stage.processor({ url: line.url });
    const key = newKey();
    await processor.sale(sale(1_000), attemptCall(key));
    for (const ask of ['inquire', 'annul'] as const) {
      line.inject(fault);
      expect(await processor[ask](inquiryFor(key))).toEqual({ kind: 'NoAnswer' });
      expect(await processor[ask](inquiryFor(key))).toMatchObject({ answer: approved(1_000) });
    }
    await line.close();
  });

  it('a connection that was kept and then broke may have carried the request: no answer', async () => {
    const line = await stage.faultyProxy();
    const processor = stage.processor({ url: line.url });
    await processor.sale(sale(100), attemptCall(newKey()));
    line.inject('ResetBefore');
    expect(await processor.sale(sale(100), attemptCall(newKey()))).toEqual({ kind: 'NoAnswer' });
    expect(await processor.sale(sale(100), attemptCall(newKey()))).toMatchObject(approved(100));
    await line.close();
  });

  it('that says everything twice changes nothing, however much goes over it', async () => {
    const line = await stage.faultyProxy('Doubled');
    const processor = stage.processor({ url: line.url });
    for (let round = 0; round < 5; round++) {
      const keys = Array.from({ length: 20 }, newKey);
      const answers = await Promise.all(
        keys.map((key, n) => processor.sale(sale(1_000 + n), attemptCall(key))),
      );
      expect(answers).toMatchObject(keys.map((_, n) => approved(1_000 + n)));
    }
    await line.close();
  });

  it('that is slow is waited for until the deadline, and its late answer handed on', async () => {
    const line = await stage.faultyProxy({ delayMs: 150 });
    const processor = stage.processor({ url: line.url });
    expect(await processor.sale(sale(700), attemptCall(newKey()))).toMatchObject(approved(700));
    const { call, late } = handingOn(100);
    expect(await processor.sale(sale(800), call)).toEqual({ kind: 'NoAnswer' });
    expect(await late).toMatchObject(approved(800));
    await line.close();
  });
});

describe('Nothing leaves this process', () => {
  it('where nobody listens: at once', async () => {
    const processor = stage.processor({ url: 'http://127.0.0.1:1' });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual(REFUSED);
    expect(await processor.inquire(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
    expect(await processor.annul(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
  });

  it('where the name is nobody’s', async () => {
    const processor = stage.processor({ url: 'http://nobody.invalid:3100' });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toMatchObject({ kind: 'NotSent' });
  });

  it('where no connection is there before sendBefore has passed', async () => {
    const { port, close } = await silentServer();
    const processor = stage.processor({ url: `https://127.0.0.1:${port}` });
    const answer = await processor.sale(sale(1_000), attemptCall(newKey(), { sendWithinMs: 200 }));
    expect(answer).toMatchObject({ kind: 'NotSent', reason: expect.stringContaining('within') as string });
    close();
  });

  it('where sendBefore passes while the connection is made: it is looked at right before the write', async () => {
    const line = await stage.faultyProxy();
    let looks = 0;
    const now = () => ({ realMs: Date.now() + (++looks > 2 ? 60_000 : 0), monotonicMs: performance.now() });
    const report = (): void => undefined;
    const processor = new NetworkSandboxProcessor({
      client: stage.client({ url: line.url }),
      lateCallsMax: 1,
      report,
      now,
    });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual({
      kind: 'NotSent',
      reason: 'sendBefore has passed',
    });
    expect(line.requests).toBe(0);
    await line.close();
  });

  it('for amount 920004 where it would be approved: the sandbox is asked, and only asked', async () => {
    const line = await stage.faultyProxy();
    const processor = stage.processor({ url: line.url });
    const key = newKey();
    expect(await processor.sale(sale(920_004), attemptCall(key))).toEqual(REFUSED);
    expect(line.requests).toBe(1);
    expect(stage.openLedger().ledger.requestOf(key)).toBeUndefined();
    const declining = { number: '4000000000000002', expDate: '1299' };
    expect(await processor.sale(sale(920_004, { card: declining }), attemptCall(key))).toMatchObject({
      kind: 'Declined',
    });
    await line.close();
  });

  it('beyond the connections that there may be: nothing waits in a queue', async () => {
    const processor = stage.processor({ connections: 2 });
    const silent = [1, 2].map(() =>
      processor.sale(sale(920_001), attemptCall(newKey(), { deadlineMs: 300 })),
    );
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual({
      kind: 'NotSent',
      reason: '2 calls to the processor are under way',
    });
    expect(await Promise.all(silent)).toEqual([{ kind: 'NoAnswer' }, { kind: 'NoAnswer' }]);
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toMatchObject(approved(1_000));
  });

  it('with another secret: the card is not taken, and the clock not moved', async () => {
    const key = newKey();
    stage.offsetMs = 86_400_000;
    const processor = stage.processor({ secret: 'another-secret-of-tests' });
    expect(await processor.sale(sale(1_000), attemptCall(key))).toMatchObject({ kind: 'NotSent' });
    stage.offsetMs = 0;
    expect(stage.openLedger().ledger.requestOf(key)).toBeUndefined();
    expect(stage.openLedger().clock.offsetMs()).toBe(0);
  });
});

describe('The sandbox keeps its time', () => {
  it('what never answers ends at the deadline of the call', async () => {
    const processor = stage.processor();
    const call = attemptCall(newKey(), { deadlineMs: 60 });
    expect(await processor.sale(sale(920_001), call)).toEqual({ kind: 'NoAnswer' });
    expect(await processor.inquire(inquiryFor(call.key))).toMatchObject({ answer: approved(920_001) });
  });

  it("a terminal says that its host is silent after the processor's deadline, and hands on what comes later", async () => {
    const processor = stage.processor();
    expect(
      await processor.sale(terminalSale(920_001), attemptCall(newKey(), { deadlineMs: 130_000 })),
    ).toEqual({
      kind: 'NoAnswer',
    });
    const { call, late } = handingOn(130_000);
    expect(await processor.sale(terminalSale(920_006), call)).toEqual({ kind: 'NoAnswer' });
    expect(await late).toMatchObject(approved(920_006));
  });

  it('a terminal that lost its link says so at once, and has the outcome when the link is back', async () => {
    const processor = stage.processor();
    const { terminals } = stage.controls();
    await terminals.set(TERMINAL, { mode: 'LostLink', card: null });
    const key = newKey();
    const lost = { kind: 'NoAnswer', lostLink: true };
    expect(await processor.sale(terminalSale(1_000), attemptCall(key))).toEqual(lost);
    expect(await processor.lastTransaction(TERMINAL, inquiryFor(key))).toEqual({ kind: 'NoAnswer' });
    await terminals.set(TERMINAL, { mode: 'Auto', card: null });
    expect(await processor.lastTransaction(TERMINAL, inquiryFor(key))).toMatchObject({
      answer: approved(1_000),
    });
  });

  it('an offline terminal says so after 2 s, one with an empty battery at once', async () => {
    const processor = stage.processor();
    const { terminals } = stage.controls();
    for (const [mode, resultCode] of [['LowBattery', 3006] as const, ['Offline', 1003] as const]) {
      await terminals.set(TERMINAL, { mode, card: null });
      expect(await processor.sale(terminalSale(1_000), attemptCall(newKey()))).toMatchObject({
        kind: 'TerminalEnded',
        resultCode,
      });
    }
    await terminals.set(TERMINAL, { mode: 'Auto', card: null });
  });

  it('a customer who is waited for pays when they tap, and can cancel', async () => {
    const processor = stage.processor();
    const { terminals, customers } = stage.controls();
    await terminals.set(TERMINAL, { mode: 'Manual', card: null });
    for (const [action, kind] of [['Tap', 'Approved'] as const, ['Cancel', 'CustomerCancelled'] as const]) {
      const paying = processor.sale(terminalSale(1_500), attemptCall(newKey(), { deadlineMs: 20_000 }));
      await until(async () => (await terminals.get(TERMINAL)).waiting?.amount === 1_500);
      expect(await customers.screen(TERMINAL)).toMatchObject({ kind: 'AwaitsCard', amount: 1_500 });
      await customers.act(TERMINAL, { action });
      expect(await paying).toMatchObject({ kind });
    }
    await expect(customers.act(TERMINAL, { action: 'Tap' })).rejects.toMatchObject({ code: 'NobodyWaits' });
    await terminals.set(TERMINAL, { mode: 'Auto', card: null });
  });
});

function handingOn(deadlineMs: number) {
  let handOn: (answer: ProcessorResponse) => void = () => undefined;
  const late = new Promise<ProcessorResponse>((resolve) => (handOn = resolve));
  const stayAwake = setTimeout(() => undefined, 20_000);
  return {
    call: attemptCall(newKey(), { deadlineMs, onLateResponse: handOn }),
    late: late.finally(() => clearTimeout(stayAwake)),
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to that in 10 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Takes connections and never says a word on them: a TLS handshake with it does not end. */
function silentServer(): Promise<{ readonly port: number; close(): void }> {
  return new Promise((resolve) => {
    const server: Server = createServer((socket) => socket.on('error', () => undefined).unref());
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      resolve({ port, close: () => void server.close() });
    });
  });
}
