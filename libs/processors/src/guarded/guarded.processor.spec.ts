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
    sending: free,
    ...more,
  });

processorContract(
  'The sandbox behind its guard',
  async () => sandboxUnderTest(files, (processor) => guarding(processor)),
  ['submitted', 'challenged', 'notices'],
);

/** The real sandbox with faults on command, behind a guard that opens at three failures. */
function stage(settings: Partial<BreakerSettings> = {}) {
  const sandbox = files.open(files.newFile(), { processorDeadlineMs: 20 });
  const behind = new FaultyProcessor(new SandboxProcessor({ sandbox }));
  let now = 1_000_000;
  let reason: string | undefined;
  const seen: string[] = [];
  const breaker = new CircuitBreaker({ ...defaultBreakerSettings, failures: 3, ...settings }, () => now);
  const guard = guarding(behind, {
    breaker,
    sending: { stopReason: () => reason },
    observer: (call) => (end: CallEndKind) => void seen.push(`${call} ${end}`),
  });
  return {
    sandbox,
    behind,
    guard,
    seen,
    pass: (ms: number) => void (now += ms),
    stop: (why: string | undefined) => void (reason = why),
    async open() {
      behind.inject('sale', 'NoAnswerBefore', 'NoAnswerBefore', 'NoAnswerBefore');
      for (let n = 0; n < 3; n++) await guard.sale(sale(), attemptCall(newKey()));
      behind.sent.length = 0;
      seen.length = 0;
    },
    /** What was approved before the trouble. */
    async sold(): Promise<string> {
      const key = newKey();
      await guard.sale(sale(), attemptCall(key));
      return key;
    },
  };
}
type Stage = ReturnType<typeof stage>;

/** Each kind of new request. */
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

const heldBack: [why: string, hold: (world: Stage) => Promise<void>, reason: string][] = [
  ['open', (world) => world.open(), 'processor sandbox does not answer: its circuit breaker is open'],
  [
    'stopped by an operator',
    async (world) => world.stop('double charges'),
    'processor sandbox is stopped by an operator: double charges',
  ],
];
describe.each(heldBack)('While a processor’s guard is %s', (_why, hold, reason) => {
  it.each(requests)('a new %s ends as not sent, and nothing leaves', async (name, send) => {
    const world = stage();
    const original = await world.sold();
    await hold(world);
    world.behind.sent.length = 0;
    expect(await send(world.guard, original, attemptCall(newKey()))).toEqual({ kind: 'NotSent', reason });
    expect(world.behind.sent).toEqual([]);
    expect(world.seen.at(-1)).toBe(`${name} Held`);
  });

  it('inquiries, annulments and last transactions pass', async () => {
    const world = stage();
    const original = await world.sold();
    await hold(world);
    expect(await world.guard.inquire(inquiryFor(original))).toMatchObject({ kind: 'Found' });
    expect(await world.guard.annul(inquiryFor(newKey()))).toEqual({ kind: 'Annulled' });
    expect(await world.guard.lastTransaction('pmt_trm_1', inquiryFor(original))).toEqual({
      kind: 'NotFound',
    });
  });

  it('the service’s own reversals pass, executed as a refund too', async () => {
    const world = stage();
    const [one, other] = [paymentKey('0'.repeat(23)), paymentKey(`${'0'.repeat(22)}1`)];
    for (const key of [one, other]) await world.guard.sale(sale(), attemptCall(key));
    await hold(world);
    expect(await world.guard.reverse(about(one), attemptCall(ownKey(one)))).toMatchObject({
      kind: 'Approved',
    });
    expect(await world.guard.refund(about(other), attemptCall(ownKey(other)))).toMatchObject({
      kind: 'Approved',
    });
  });
});

describe('A guard opens', () => {
  it('for requests that can’t be sent, and for answers that do not come', async () => {
    const world = stage();
    world.behind.inject('sale', 'NotSent', 'NoAnswerBefore');
    world.behind.inject('refund', 'NoAnswerAfter');
    const original = newKey();
    for (let n = 0; n < 2; n++) await world.guard.sale(sale(), attemptCall(newKey()));
    expect(world.guard.breakerState).toBe('Closed');
    await world.guard.refund(about(original), attemptCall(newKey()));
    expect(world.guard.breakerState).toBe('Open');
  });

  const harmless: [string, (world: Stage) => void, PaymentRequest, Partial<AttemptCall>][] = [
    ['declines', () => undefined, { ...sale(), card: { ...CARD, number: '4000000000000002' } }, {}],
    ['an issuer that is not there', () => undefined, sale(900_091), {}],
    [
      'terminals whose battery is low',
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
  it.each(harmless)('never for %s', async (_what, prepare, request, late) => {
    const world = stage();
    prepare(world);
    for (let n = 0; n < 10; n++) await world.guard.sale(request, attemptCall(newKey(), late));
    expect(world.guard.breakerState).toBe('Closed');
  });
});

describe('A half-open guard', () => {
  it('sends one payment, once, and keeps the others back; its answer closes it', async () => {
    const world = stage();
    await world.open();
    world.pass(defaultBreakerSettings.openMs);
    world.behind.inject('sale', { delayMs: 30 });
    const keys = Array.from({ length: 10 }, () => newKey());
    const answers = await Promise.all(keys.map((key) => world.guard.sale(sale(), attemptCall(key))));
    expect(answers.map(({ kind }) => kind)).toEqual(['Approved', ...Array<string>(9).fill('NotSent')]);
    expect(world.behind.sent).toEqual([`sale ${keys[0]}`]);
    expect(world.guard.breakerState).toBe('Closed');
  });

  it('whose trial gets no answer sends it once, and nothing more', async () => {
    const world = stage();
    await world.open();
    world.pass(defaultBreakerSettings.openMs);
    world.behind.inject('sale', 'NoAnswerAfter');
    const key = newKey();
    expect(await world.guard.sale(sale(), attemptCall(key))).toEqual({ kind: 'NoAnswer' });
    expect(world.behind.sent).toEqual([`sale ${key}`]);
    expect(world.guard.breakerState).toBe('Open');
  });
});

describe('A guard', () => {
  it('sends nothing while it can not be told whether it is stopped', async () => {
    const world = stage();
    const guard = guarding(world.behind, {
      sending: { stopReason: () => Promise.reject(new Error('x')) },
    });
    expect(await guard.sale(sale(), attemptCall(newKey()))).toEqual({
      kind: 'NotSent',
      reason: 'whether processor sandbox is stopped could not be read',
    });
    expect(world.behind.sent).toEqual([]);
  });

  it('passes on what a late answer is told to', async () => {
    const world = stage();
    world.behind.inject('sale', 'LateAnswer');
    const late = await new Promise<ProcessorResponse>((onLateResponse) => {
      void world.guard.sale(sale(), attemptCall(newKey(), { onLateResponse }));
    });
    expect(late).toMatchObject({ kind: 'Approved' });
  });
});
