import { createServer, type Server } from 'node:net';
import { NetworkSandboxProcessor, type ProcessorResponse } from '@tillstream/processors';
import { attemptCall, inquiryFor, newKey, type ProxyFault } from '@tillstream/processors/testing';
import { NetworkFixture, sale, TERMINAL, terminalSale } from './network.fixture.js';

const fixture = new NetworkFixture({ processorDeadline: 300, brokenWordDelay: 200 });
const approved = (amount: number) => ({ kind: 'Approved', amount });
const REFUSED = { kind: 'NotSent', reason: 'the processor refused the connection' };
beforeAll(() => fixture.start());
afterAll(() => fixture.end());
beforeEach(() => void fixture.reports.splice(0));

describe('A network that fails', () => {
  it.each<[ProxyFault, 'NotFound' | 'Found', number]>([
    ['ResetBefore', 'NotFound', 0],
    ['ResetAfter', 'Found', 0],
    ['CutOff', 'Found', 0],
    ['Garbled', 'Found', 1],
    ['TooLong', 'Found', 1],
    [{ anotherIn: 'callId' }, 'Found', 1],
    ['BadGateway', 'Found', 1],
  ])('%j: `NoAnswer`, an inquiry is %s, and there are %i reports', async (fault, found, reports) => {
    const proxy = await fixture.faultyProxy();
    const processor = fixture.processor({ url: proxy.url });
    proxy.inject(fault);
    const key = newKey();
    expect(await processor.sale(sale(1_000), attemptCall(key))).toEqual({ kind: 'NoAnswer' });
    expect((await processor.inquire(inquiryFor(key))).kind).toBe(found);
    expect(fixture.reports).toHaveLength(reports);
    // The start of a card number, or its end in quotes: a port may have the same digits.
    expect(fixture.reports.join()).not.toMatch(/424242|"4242"/);
    await proxy.close();
  });

  it.each<[ProxyFault]>([
    ['ResetBefore'],
    ['ResetAfter'],
    ['CutOff'],
    ['Garbled'],
    [{ anotherIn: 'callId' }],
  ])('during an inquiry or annulment (%j): `NoAnswer`, and the next one is right', async (fault) => {
    const proxy = await fixture.faultyProxy();
    const processor = fixture.processor({ url: proxy.url });
    const key = newKey();
    await processor.sale(sale(1_000), attemptCall(key));
    for (const ask of ['inquire', 'annul'] as const) {
      proxy.inject(fault);
      expect(await processor[ask](inquiryFor(key))).toEqual({ kind: 'NoAnswer' });
      expect(await processor[ask](inquiryFor(key))).toMatchObject({ answer: approved(1_000) });
    }
    await proxy.close();
  });

  it('a kept connection that breaks may have carried the request: `NoAnswer`', async () => {
    const proxy = await fixture.faultyProxy();
    const processor = fixture.processor({ url: proxy.url });
    await processor.sale(sale(100), attemptCall(newKey()));
    proxy.inject('ResetBefore');
    expect(await processor.sale(sale(100), attemptCall(newKey()))).toEqual({ kind: 'NoAnswer' });
    expect(await processor.sale(sale(100), attemptCall(newKey()))).toMatchObject(approved(100));
    await proxy.close();
  });

  it('repeated responses change nothing, also under load', async () => {
    const proxy = await fixture.faultyProxy('Doubled');
    const processor = fixture.processor({ url: proxy.url });
    for (let round = 0; round < 5; round++) {
      const keys = Array.from({ length: 20 }, newKey);
      const answers = await Promise.all(
        keys.map((key, n) => processor.sale(sale(1_000 + n), attemptCall(key))),
      );
      expect(answers).toMatchObject(keys.map((_, n) => approved(1_000 + n)));
    }
    await proxy.close();
  });

  it('a slow response is awaited until the deadline, and then it is a late response', async () => {
    const proxy = await fixture.faultyProxy({ delayMs: 150 });
    const processor = fixture.processor({ url: proxy.url });
    expect(await processor.sale(sale(700), attemptCall(newKey()))).toMatchObject(approved(700));
    const { call, late } = callWithLateResponse(100);
    expect(await processor.sale(sale(800), call)).toEqual({ kind: 'NoAnswer' });
    expect(await late).toMatchObject(approved(800));
    await proxy.close();
  });
});

describe('A payment is not sent', () => {
  it('if no server listens, at once', async () => {
    const processor = fixture.processor({ url: 'http://127.0.0.1:1' });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual(REFUSED);
    expect(await processor.inquire(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
    expect(await processor.annul(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
  });

  it('if the host name is unknown', async () => {
    const processor = fixture.processor({ url: 'http://unknown.invalid:3100' });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toMatchObject({ kind: 'NotSent' });
  });

  it('if there is no connection before the end of the send window', async () => {
    const { port, close } = await silentServer();
    const processor = fixture.processor({ url: `https://127.0.0.1:${port}` });
    const answer = await processor.sale(sale(1_000), attemptCall(newKey(), { sendWithinMs: 200 }));
    expect(answer).toMatchObject({ kind: 'NotSent', reason: expect.stringContaining('within') as string });
    close();
  });

  it('if the send window ends during the connection: the check is right before the write', async () => {
    const proxy = await fixture.faultyProxy();
    let reads = 0;
    const now = () => ({ realMs: Date.now() + (++reads > 2 ? 60_000 : 0), monotonicMs: performance.now() });
    const report = (): void => undefined;
    const processor = new NetworkSandboxProcessor({
      client: fixture.client({ url: proxy.url }),
      lateCallsMax: 1,
      report,
      now,
    });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual({
      kind: 'NotSent',
      reason: 'sendBefore has passed',
    });
    expect(proxy.requests).toBe(0);
    await proxy.close();
  });

  it('for amount 920004 if it would be approved: there is only a query to the sandbox', async () => {
    const proxy = await fixture.faultyProxy();
    const processor = fixture.processor({ url: proxy.url });
    const key = newKey();
    expect(await processor.sale(sale(920_004), attemptCall(key))).toEqual(REFUSED);
    expect(proxy.requests).toBe(1);
    expect(fixture.openLedger().ledger.requestOf(key)).toBeUndefined();
    const declining = { number: '4000000000000002', expDate: '1299' };
    expect(await processor.sale(sale(920_004, { card: declining }), attemptCall(key))).toMatchObject({
      kind: 'Declined',
    });
    await proxy.close();
  });

  it('beyond the maximum of connections: it does not wait in a queue', async () => {
    const processor = fixture.processor({ connections: 2 });
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

  it('with another secret, and the clock does not move', async () => {
    const key = newKey();
    fixture.offsetMs = 86_400_000;
    const processor = fixture.processor({ secret: 'another-secret-of-tests' });
    expect(await processor.sale(sale(1_000), attemptCall(key))).toMatchObject({ kind: 'NotSent' });
    fixture.offsetMs = 0;
    expect(fixture.openLedger().ledger.requestOf(key)).toBeUndefined();
    expect(fixture.openLedger().clock.offsetMs()).toBe(0);
  });
});

describe('The sandbox over a network', () => {
  it('ends a call without a response at its deadline', async () => {
    const processor = fixture.processor();
    const call = attemptCall(newKey(), { deadlineMs: 60 });
    expect(await processor.sale(sale(920_001), call)).toEqual({ kind: 'NoAnswer' });
    expect(await processor.inquire(inquiryFor(call.key))).toMatchObject({ answer: approved(920_001) });
  });

  it("reports a silent host after the processor's deadline, and the host's late response", async () => {
    const processor = fixture.processor();
    expect(
      await processor.sale(terminalSale(920_001), attemptCall(newKey(), { deadlineMs: 130_000 })),
    ).toEqual({
      kind: 'NoAnswer',
    });
    const { call, late } = callWithLateResponse(130_000);
    expect(await processor.sale(terminalSale(920_006), call)).toEqual({ kind: 'NoAnswer' });
    expect(await late).toMatchObject(approved(920_006));
  });

  it('reports a lost link at once, and has the outcome when the link is back', async () => {
    const processor = fixture.processor();
    const { terminals } = fixture.controls();
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

  it('ends a payment at an offline terminal after 2 s, with a low battery at once', async () => {
    const processor = fixture.processor();
    const { terminals } = fixture.controls();
    for (const [mode, resultCode] of [['LowBattery', 3006] as const, ['Offline', 1003] as const]) {
      await terminals.set(TERMINAL, { mode, card: null });
      expect(await processor.sale(terminalSale(1_000), attemptCall(newKey()))).toMatchObject({
        kind: 'TerminalEnded',
        resultCode,
      });
    }
    await terminals.set(TERMINAL, { mode: 'Auto', card: null });
  });

  it('waits for the customer, who can tap or cancel', async () => {
    const processor = fixture.processor();
    const { terminals, customers } = fixture.controls();
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

function callWithLateResponse(deadlineMs: number) {
  let onLateResponse: (response: ProcessorResponse) => void = () => undefined;
  const late = new Promise<ProcessorResponse>((resolve) => (onLateResponse = resolve));
  const stayAwake = setTimeout(() => undefined, 20_000);
  return {
    call: attemptCall(newKey(), { deadlineMs, onLateResponse }),
    late: late.finally(() => clearTimeout(stayAwake)),
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('the condition did not hold within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Accepts connections and never writes: a TLS handshake with it does not end. */
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
