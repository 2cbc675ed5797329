import { formatOperationId, parseOperationId } from '@tillstream/domain';
import type { ProcessorResponse, AttemptCall, PaymentRequest, Processor } from '../processor.port.js';
import { SandboxFiles, sandboxUnderTest } from '../sandbox/sandbox.fixture.js';
import { SandboxProcessor } from '../sandbox/sandbox.processor.js';
import { attemptCall, FaultyProcessor, inquiryFor, newKey, processorContract } from '../testing/index.js';
import { CircuitBreaker, defaultBreakerSettings, type BreakerSettings } from './circuit.breaker.js';
import { GuardedProcessor, type CallEndKind, type GuardedProcessorOptions } from './guarded.processor.js';

const files = new SandboxFiles();
afterEach(() => files.removeAll());

const CARD = { number: '4242424242424242', expDate: '1299', cvv: '123' };
const sale = (amount = 1_000): PaymentRequest => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardNotPresent',
  currency: 'USD',
  amount,
  card: CARD,
});
const onTerminal = (amount = 1_000): PaymentRequest => {
  const { card: _card, ...rest } = sale(amount);
  return { ...rest, channel: 'CardPresent', terminalId: 'pmt_trm_1' };
};
const about = (originalKey: string) => ({
  merchantId: 'mer_1',
  account: 'acct',
  channel: 'CardNotPresent' as const,
  currency: 'USD' as const,
  amount: 1_000,
  originalKey,
});
const free = { stopReason: () => undefined };
const guarding = (behind: Processor, more: Partial<GuardedProcessorOptions> = {}) =>
  new GuardedProcessor(behind, {
    breaker: new CircuitBreaker(defaultBreakerSettings),
    ...free,
    ...more,
  });

processorContract(
  'The sandbox behind its guard',
  async () => sandboxUnderTest(files, (processor) => guarding(processor)),
  ['submitted', 'challenged', 'notices'],
);

/** The sandbox with faults on command, behind a guard that opens at three failures. */
function setUp(settings: Partial<BreakerSettings> = {}) {
  const sandbox = files.open(files.newFile(), { processorDeadlineMs: 20 });
  const behind = new FaultyProcessor(new SandboxProcessor({ sandbox }));
  let now = 1_000_000;
  let reason: string | undefined;
  const observed: string[] = [];
  const breaker = new CircuitBreaker({ ...defaultBreakerSettings, failures: 3, ...settings }, () => now);
  const guard = guarding(behind, {
    breaker,
    stopReason: () => reason,
    observer: (call) => (end: CallEndKind) => void observed.push(`${call} ${end}`),
  });
  return {
    sandbox,
    behind,
    guard,
    observed,
    pass: (ms: number) => void (now += ms),
    stop: (why: string | undefined) => void (reason = why),
    async open() {
      behind.inject('sale', 'NoAnswerBefore', 'NoAnswerBefore', 'NoAnswerBefore');
      for (let n = 0; n < 3; n++) await guard.sale(sale(), attemptCall(newKey()));
      behind.sent.length = 0;
      observed.length = 0;
    },
    async approvedSale(): Promise<string> {
      const key = newKey();
      await guard.sale(sale(), attemptCall(key));
      return key;
    },
  };
}
type Setup = ReturnType<typeof setUp>;

const requests: [
  name: string,
  send: (guard: Processor, original: string, call: AttemptCall) => Promise<ProcessorResponse>,
][] = [
  ['sale', (guard, _original, call) => guard.sale(sale(), call)],
  ['authorize', (guard, _original, call) => guard.authorize(sale(), call)],
  ['unreferencedRefund', (guard, _original, call) => guard.unreferencedRefund(sale(), call)],
  ['verify', (guard, _original, call) => guard.verify({ ...sale() }, call)],
  ['capture', (guard, original, call) => guard.capture(about(original), call)],
  ['void', (guard, original, call) => guard.void(about(original), call)],
  ['refund', (guard, original, call) => guard.refund(about(original), call)],
];
/** The service's own operation on the payment of a key. */
function ownKey(key: string): string {
  const address = parseOperationId(key.slice(0, key.indexOf('.')));
  if (!address) throw new Error(`${key} is no key of an operation`);
  return `${formatOperationId({ ...address, number: 960 })}.1`;
}
const paymentKey = (root: string) => `${formatOperationId({ category: 'payment', root, number: 0 })}.1`;

const refusals: [why: string, refuse: (setup: Setup) => Promise<void>, reason: string][] = [
  ['open', (setup) => setup.open(), 'processor sandbox does not answer: its circuit breaker is open'],
  [
    'stopped by an operator',
    async (setup) => setup.stop('double charges'),
    'processor sandbox is stopped by an operator: double charges',
  ],
];
describe.each(refusals)('While the guard of a processor is %s', (_why, refuse, reason) => {
  it.each(requests)('a new %s ends as `NotSent`, and is not sent', async (name, send) => {
    const setup = setUp();
    const original = await setup.approvedSale();
    await refuse(setup);
    setup.behind.sent.length = 0;
    expect(await send(setup.guard, original, attemptCall(newKey()))).toEqual({ kind: 'NotSent', reason });
    expect(setup.behind.sent).toEqual([]);
    expect(setup.observed.at(-1)).toBe(`${name} Held`);
  });

  it('inquiries, annulments and last transactions pass', async () => {
    const setup = setUp();
    const original = await setup.approvedSale();
    await refuse(setup);
    expect(await setup.guard.inquire(inquiryFor(original))).toMatchObject({ kind: 'Found' });
    expect(await setup.guard.annul(inquiryFor(newKey()))).toEqual({ kind: 'Annulled' });
    expect(await setup.guard.lastTransaction('pmt_trm_1', inquiryFor(original))).toEqual({
      kind: 'NotFound',
    });
  });

  it('the service’s own reversals pass, also as a refund', async () => {
    const setup = setUp();
    const [one, other] = [paymentKey('0'.repeat(23)), paymentKey(`${'0'.repeat(22)}1`)];
    for (const key of [one, other]) await setup.guard.sale(sale(), attemptCall(key));
    await refuse(setup);
    expect(await setup.guard.reverse(about(one), attemptCall(ownKey(one)))).toMatchObject({
      kind: 'Approved',
    });
    expect(await setup.guard.refund(about(other), attemptCall(ownKey(other)))).toMatchObject({
      kind: 'Approved',
    });
  });
});

describe('A guard opens', () => {
  it('after requests that can’t be sent, and after missing responses', async () => {
    const setup = setUp();
    setup.behind.inject('sale', 'NotSent', 'NoAnswerBefore');
    setup.behind.inject('refund', 'NoAnswerAfter');
    const original = newKey();
    for (let n = 0; n < 2; n++) await setup.guard.sale(sale(), attemptCall(newKey()));
    expect(setup.guard.breakerState).toBe('Closed');
    await setup.guard.refund(about(original), attemptCall(newKey()));
    expect(setup.guard.breakerState).toBe('Open');
  });

  const harmless: [string, (setup: Setup) => void, PaymentRequest, Partial<AttemptCall>][] = [
    ['declines', () => undefined, { ...sale(), card: { ...CARD, number: '4000000000000002' } }, {}],
    ['an unreachable issuer', () => undefined, sale(900_091), {}],
    [
      'terminals with a low battery',
      ({ sandbox }) => void sandbox.terminals.set('pmt_trm_1', { mode: 'LowBattery', card: null }),
      onTerminal(),
      {},
    ],
    [
      'terminals that lost their link',
      ({ sandbox }) => void sandbox.terminals.set('pmt_trm_1', { mode: 'LostLink', card: null }),
      onTerminal(),
      {},
    ],
    ['requests that were too late already', () => undefined, sale(), { sendBefore: Date.now() - 1 }],
  ];
  it.each(harmless)('never after %s', async (_case, prepare, request, late) => {
    const setup = setUp();
    prepare(setup);
    for (let n = 0; n < 10; n++) await setup.guard.sale(request, attemptCall(newKey(), late));
    expect(setup.guard.breakerState).toBe('Closed');
  });
});

describe('A half-open guard', () => {
  it('sends one payment, once, and refuses the others; its response closes the breaker', async () => {
    const setup = setUp();
    await setup.open();
    setup.pass(defaultBreakerSettings.openMs);
    setup.behind.inject('sale', { delayMs: 30 });
    const keys = Array.from({ length: 10 }, () => newKey());
    const answers = await Promise.all(keys.map((key) => setup.guard.sale(sale(), attemptCall(key))));
    expect(answers.map(({ kind }) => kind)).toEqual(['Approved', ...Array<string>(9).fill('NotSent')]);
    expect(setup.behind.sent).toEqual([`sale ${keys[0]}`]);
    expect(setup.guard.breakerState).toBe('Closed');
  });

  it('sends a trial without a response once, and opens again', async () => {
    const setup = setUp();
    await setup.open();
    setup.pass(defaultBreakerSettings.openMs);
    setup.behind.inject('sale', 'NoAnswerAfter');
    const key = newKey();
    expect(await setup.guard.sale(sale(), attemptCall(key))).toEqual({ kind: 'NoAnswer' });
    expect(setup.behind.sent).toEqual([`sale ${key}`]);
    expect(setup.guard.breakerState).toBe('Open');
  });
});

describe('A guard', () => {
  it('sends nothing while the processor switch can’t be read', async () => {
    const setup = setUp();
    const guard = guarding(setup.behind, {
      stopReason: () => Promise.reject(new Error('x')),
    });
    expect(await guard.sale(sale(), attemptCall(newKey()))).toEqual({
      kind: 'NotSent',
      reason: 'whether processor sandbox is stopped could not be read',
    });
    expect(setup.behind.sent).toEqual([]);
  });

  it('passes a late response on', async () => {
    const setup = setUp();
    setup.behind.inject('sale', 'LateAnswer');
    const late = await new Promise<ProcessorResponse>((onLateResponse) => {
      void setup.guard.sale(sale(), attemptCall(newKey(), { onLateResponse }));
    });
    expect(late).toMatchObject({ kind: 'Approved' });
  });
});
