import { openSandbox, type Sandbox } from '@tillstream/sandbox';
import type { ProcessorResponse, PaymentRequest } from '../processor.port.js';
import { SandboxFiles, sandboxUnderTest, keysUntilKilled } from './sandbox.fixture.js';
import { SandboxProcessor } from './sandbox.processor.js';
import { attemptCall, FaultyProcessor, inquiryFor, newKey, processorContract } from '../testing/index.js';

const files = new SandboxFiles();
const newFile = () => files.newFile();
const open: SandboxFiles['open'] = (...of) => files.open(...of);
afterEach(() => files.removeAll());

const CARD = { number: '4242424242424242', expDate: '1299', cvv: '123' };
const sale = (amount: number, rest: Partial<PaymentRequest> = {}): PaymentRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardNotPresent',
  currency: 'USD',
  amount,
  card: CARD,
  ...rest,
});
const terminalSale = (amount: number): PaymentRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardPresent',
  currency: 'USD',
  amount,
  terminalId: 'pmt_trm_1',
});

processorContract('The sandbox', async () => sandboxUnderTest(files), ['submitted', 'challenged', 'notices']);

describe('SandboxProcessor', () => {
  it('a refused connection is NotSent, with its reason', async () => {
    const processor = new SandboxProcessor({ sandbox: open() });
    let hasLeft = false;
    const call = attemptCall(newKey(), { onSent: () => void (hasLeft = true) });
    expect(await processor.sale(sale(920_004), call)).toEqual({
      kind: 'NotSent',
      reason: 'the processor refused the connection',
    });
    expect(hasLeft).toBe(false);
  });

  it('a call without a response ends at its deadline', async () => {
    const processor = new SandboxProcessor({ sandbox: open() });
    const started = performance.now();
    const answer = awake(processor.sale(sale(920_001), attemptCall(newKey(), { deadlineMs: 60 })));
    expect(await answer).toEqual({ kind: 'NoAnswer' });
    expect(performance.now() - started).toBeGreaterThan(55);
  });

  it("on a terminal the processor's deadline counts, not the terminal's", async () => {
    const processor = new SandboxProcessor({ sandbox: open(newFile(), { processorDeadlineMs: 60 }) });
    const answer = awake(
      processor.sale(terminalSale(920_001), attemptCall(newKey(), { deadlineMs: 130_000 })),
    );
    expect(await answer).toEqual({ kind: 'NoAnswer' });
  });

  it('after the customer has tapped, the host has at most the processor deadline', async () => {
    const sandbox = open(newFile(), { processorDeadlineMs: 60 });
    sandbox.terminals.set('pmt_trm_1', { mode: 'Manual', card: null });
    const sale = new SandboxProcessor({ sandbox }).sale(
      terminalSale(920_001),
      attemptCall(newKey(), { deadlineMs: 130_000 }),
    );
    await sent();
    sandbox.customers.act('pmt_trm_1', { action: 'Tap' });
    expect(await awake(sale)).toEqual({ kind: 'NoAnswer' });
  });

  it('a terminal without a customer ends with 3010 and 56', async () => {
    let ahead = 0;
    const sandbox = open(undefined, { serviceNow: () => Date.now() + ahead });
    sandbox.terminals.set('pmt_trm_1', { mode: 'Manual', card: null });
    const sale = new SandboxProcessor({ sandbox }).sale(
      terminalSale(1_000),
      attemptCall(newKey(), { deadlineMs: 130_000 }),
    );
    await sent();
    ahead = 120_000;
    expect(await awake(sale)).toMatchObject({
      kind: 'TerminalEnded',
      resultCode: 3010,
      facts: { responseCode: 56, terminalId: 'pmt_trm_1' },
    });
  });

  it('a terminal that lost its link ends at once, and has the outcome when the link is back', async () => {
    const sandbox = open();
    const processor = new SandboxProcessor({ sandbox });
    sandbox.terminals.set('pmt_trm_1', { mode: 'LostLink', card: null });
    const key = newKey();
    expect(await processor.sale(terminalSale(1_000), attemptCall(key))).toEqual({
      kind: 'NoAnswer',
      lostLink: true,
    });
    expect(await processor.lastTransaction('pmt_trm_1', inquiryFor(key))).toEqual({ kind: 'NoAnswer' });
    sandbox.terminals.set('pmt_trm_1', { mode: 'Auto', card: null });
    expect(await processor.lastTransaction('pmt_trm_1', inquiryFor(key))).toMatchObject({
      kind: 'Found',
      answer: { kind: 'Approved', amount: 1_000 },
    });
  });

  it('a payment that a terminal ends has its result code and the matching response code', async () => {
    const sandbox = open();
    const processor = new SandboxProcessor({ sandbox });
    sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: null });
    expect(await processor.sale(terminalSale(1_000), attemptCall(newKey()))).toEqual({
      kind: 'TerminalEnded',
      resultCode: 3006,
      facts: { responseCode: 51, terminalId: 'pmt_trm_1' },
    });
  });

  it('an offline terminal ends the payment after 2 s', async () => {
    const sandbox = open();
    sandbox.terminals.set('pmt_trm_1', { mode: 'Offline', card: null });
    const started = performance.now();
    const answer = awake(new SandboxProcessor({ sandbox }).sale(terminalSale(1_000), attemptCall(newKey())));
    expect(await answer).toMatchObject({ kind: 'TerminalEnded', resultCode: 1003 });
    expect(performance.now() - started).toBeGreaterThan(1_950);
  });

  it("a void after the processor's batch closed is `ProcessorBatchClosed`, with 20", async () => {
    const processor = new SandboxProcessor({ sandbox: open() });
    const originalKey = newKey();
    await processor.sale(sale(950_001), attemptCall(originalKey));
    const request = { ...sale(950_001), originalKey };
    expect(await processor.void(request, attemptCall(newKey()))).toMatchObject({
      kind: 'ProcessorBatchClosed',
      facts: { responseCode: 20, hostText: 'BATCH CLOSED, REFUND INSTEAD' },
    });
    expect(await processor.refund(request, attemptCall(newKey()))).toMatchObject({ kind: 'Approved' });
  });

  const isoCodes: [number, number][] = [
    [5, 10],
    [51, 11],
    [54, 12],
    [59, 13],
    [14, 14],
    [61, 15],
    [65, 16],
    [55, 17],
    [57, 18],
    [91, 50],
    [99, 10],
  ];
  it.each(isoCodes)('ISO 8583 code %i is our %i', async (iso, ours) => {
    const processor = new SandboxProcessor({ sandbox: open() });
    expect(await processor.sale(sale(900_000 + iso), attemptCall(newKey()))).toMatchObject({
      kind: 'Declined',
      facts: { responseCode: ours },
    });
  });

  it('ISO 8583 code 10 is a partial approval of half; a refund is never approved in part', async () => {
    const processor = new SandboxProcessor({ sandbox: open() });
    expect(await processor.sale(sale(900_010), attemptCall(newKey()))).toMatchObject({
      kind: 'Approved',
      amount: 450_005,
      facts: { responseCode: 2 },
    });
    expect(await processor.unreferencedRefund(sale(900_010), attemptCall(newKey()))).toMatchObject({
      kind: 'Declined',
      facts: { responseCode: 10 },
    });
  });

  it('a response code of ours is not mapped', async () => {
    const processor = new SandboxProcessor({ sandbox: open() });
    const answer = await processor.sale(sale(940_053), attemptCall(newKey()));
    expect(answer).toMatchObject({ kind: 'Declined', facts: { responseCode: 53 } });
  });

  it('a ledger that fails before its commit is `NotSent`; inquiries and annulments are `NoAnswer`', async () => {
    const sandbox = openSandbox({ file: newFile(), processorDeadlineMs: 100 });
    const processor = new SandboxProcessor({ sandbox });
    sandbox.close();
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toMatchObject({ kind: 'NotSent' });
    expect(await processor.inquire(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
    expect(await processor.annul(inquiryFor(newKey()))).toEqual({ kind: 'NoAnswer' });
  });

  it('a ledger whose commit fails is `NoAnswer`: the outcome is unknown', async () => {
    const sandbox = open();
    const runTogether = (calls: readonly unknown[]) =>
      calls.map(() => ({ status: 'rejected', reason: new Error('disk I/O error') }));
    const acquirer = Object.assign(Object.create(sandbox.acquirer), { runTogether }) as Sandbox['acquirer'];
    const processor = new SandboxProcessor({ sandbox: { ...sandbox, acquirer } });
    expect(await processor.sale(sale(1_000), attemptCall(newKey()))).toEqual({ kind: 'NoAnswer' });
  });
});

describe('kill -9', () => {
  it('two processes killed while they charge the same keys leave each acknowledged one exactly once', async () => {
    const file = newFile();
    const acknowledged = await Promise.all([1, 2].map(() => keysUntilKilled('charging.child', file, 500)));

    const { ledger, acquirer } = open(file);
    const charged = [...ledger.entries()];
    const keys = new Set(charged.map((entry) => entry.key));
    const printed = new Set(acknowledged.flat());
    expect([...printed].filter((key) => !keys.has(key))).toEqual([]);
    expect(keys.size).toBe(charged.length);
    // Each process may have charged one more key before it was killed.
    expect(charged.length).toBeLessThanOrEqual(printed.size + 2);
    expect(acquirer.inquire(acknowledged[0]?.[0] ?? '')).toMatchObject({ kind: 'Found' });
  });
});

describe('FaultyProcessor', () => {
  it('loses the request, loses the response, or refuses to send, once each and in order', async () => {
    const faulty = new FaultyProcessor(new SandboxProcessor({ sandbox: open() }));
    faulty.inject('sale', 'NoAnswerBefore', 'NoAnswerAfter', 'NotSent');
    const keys = [newKey(), newKey(), newKey(), newKey()];
    const answers: ProcessorResponse[] = [];
    for (const key of keys) answers.push(await faulty.sale(sale(1_000), attemptCall(key)));
    expect(answers.map((answer) => answer.kind)).toEqual(['NoAnswer', 'NoAnswer', 'NotSent', 'Approved']);
    const found = await Promise.all(keys.map((key) => faulty.inquire(inquiryFor(key))));
    expect(found.map((answer) => answer.kind)).toEqual(['NotFound', 'Found', 'NotFound', 'Found']);
  });
});

/** Resolves when the requests of this turn of the event loop have reached the acquirer. */
const sent = () => new Promise((resume) => setImmediate(resume));

/** The adapter's timers do not keep the process alive. */
async function awake<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1_000);
  return promise.finally(() => clearInterval(timer));
}
