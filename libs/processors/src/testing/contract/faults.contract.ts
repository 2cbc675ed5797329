import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cents } from '@tillstream/domain';
import type {
  AnnulResult,
  ProcessorResponse,
  FollowUpRequest,
  Inquiry,
  InquiryResult,
  PaymentRequest,
  Processor,
} from '../../processor.port.js';
import { attemptCall, inquiryFor, newKey } from '../attempt-call.js';
import { approved } from './contract.setup.js';
import { openFaultyProxy, type FaultyProxy, type ProxyFault } from '../faulty.proxy.js';

/** A processor with its ledger, whose server listens on loopback. */
export interface ProcessorBehindProxy {
  readonly port: number;
  /** Makes a new adapter to the server at this port of 127.0.0.1. */
  connect(port: number): Processor;
  /** From the processor's ledger: the amount that the key moved; 0 if it never executed. */
  movedAmount(key: string): Promise<Cents>;
  readonly account: string;
  /** The processor approves it. */
  readonly card: NonNullable<PaymentRequest['card']>;
  close(): Promise<void>;
}

/** How a response names its call. */
export interface ResponseCorrelation {
  /** String fields of its JSON. The adapter must refuse a response in which one of them names another call. */
  readonly namedIn: readonly string[];
}

/** Longer than a response takes on loopback. */
const DEADLINE_MS = 250;
const LATE: ProxyFault = { delayMs: DEADLINE_MS };
const NO_ANSWER = { kind: 'NoAnswer' };
/** No server listens on it. */
const CLOSED_PORT = 1;

/**
 * The contract of every adapter over a network that fails: an unknown outcome is `NoAnswer` and never "not executed", a
 * response to another call is refused, and no call throws. The adapter's spec calls it in one line.
 */
export function processorFaultsContract(
  name: string,
  { namedIn }: ResponseCorrelation,
  factory: () => Promise<ProcessorBehindProxy>,
): void {
  const lost: ProxyFault[] = [
    'ResetAfter',
    'CutOff',
    'Garbled',
    'TooLong',
    'BadGateway',
    ...namedIn.map((field) => ({ anotherIn: field })),
  ];
  describe(`${name} over a network that fails`, () => {
    const setup = new FaultsSetup();
    beforeEach(() => setup.start(factory));
    afterEach(() => setup.end());
    paymentFaults(setup, lost);
    queryFaults(setup, lost);
    closedPortFaults(setup);
  });
}

class FaultsSetup {
  private server: ProcessorBehindProxy | undefined;
  private openedProxy: FaultyProxy | undefined;
  private adapter: Processor | undefined;

  async start(factory: () => Promise<ProcessorBehindProxy>): Promise<void> {
    this.server = await factory();
    this.openedProxy = await openFaultyProxy(this.server.port);
    this.adapter = this.server.connect(this.openedProxy.port);
  }

  async end(): Promise<void> {
    await this.server?.close();
    await this.openedProxy?.close();
  }

  get processor(): Processor {
    return required(this.adapter);
  }

  get proxy(): FaultyProxy {
    return required(this.openedProxy);
  }

  get underTest(): ProcessorBehindProxy {
    return required(this.server);
  }

  sale(amount: Cents): PaymentRequest {
    const { account, card } = this.underTest;
    return { merchantId: 'mer_1', account, currency: 'USD', channel: 'CardNotPresent', amount, card };
  }

  about(originalKey: string, amount: Cents): FollowUpRequest {
    const { account } = this.underTest;
    return { merchantId: 'mer_1', account, currency: 'USD', channel: 'CardNotPresent', amount, originalKey };
  }

  inquiry(key: string, rest: Partial<Inquiry> = {}): Inquiry {
    return { ...inquiryFor(key), account: this.underTest.account, ...rest };
  }

  /** Makes a sale without a fault, and returns its key. */
  async approvedSale(amount: Cents): Promise<string> {
    const key = newKey();
    expect(await this.processor.sale(this.sale(amount), attemptCall(key))).toMatchObject(approved(amount));
    return key;
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no test is running');
  return value;
}

function paymentFaults(setup: FaultsSetup, lost: readonly ProxyFault[]): void {
  describe('a payment', () => {
    it('has an unknown outcome if its connection breaks before it arrives', async () => {
      const key = newKey();
      setup.proxy.inject('ResetBefore');
      expect(await setup.processor.sale(setup.sale(1_000), attemptCall(key))).toEqual(NO_ANSWER);
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'NotFound' });
      expect(await setup.underTest.movedAmount(key)).toBe(0);
    });

    it.each(lost)(
      'has an unknown outcome if its response is lost or names another call; an inquiry finds it: %j',
      async (fault) => {
        const key = newKey();
        setup.proxy.inject(fault);
        expect(await setup.processor.sale(setup.sale(1_000), attemptCall(key))).toEqual(NO_ANSWER);
        expect(await setup.underTest.movedAmount(key)).toBe(1_000);
        expect(await setup.processor.inquire(setup.inquiry(key))).toMatchObject({
          kind: 'Found',
          answer: approved(1_000),
        });
        expect(await setup.processor.sale(setup.sale(700), attemptCall(newKey()))).toMatchObject(
          approved(700),
        );
      },
    );

    type Send = (key: string, original: string) => Promise<ProcessorResponse>;
    const others: [string, Send, Cents][] = [
      [
        'a refund',
        (key, original) => setup.processor.refund(setup.about(original, 400), attemptCall(key)),
        400,
      ],
      ['a card verification', (key) => setup.processor.verify(setup.sale(0), attemptCall(key)), 0],
    ];
    it.each(others)('has an unknown outcome if its response is lost; so has %s', async (_, send, amount) => {
      const [key, original] = [newKey(), await setup.approvedSale(900)];
      setup.proxy.inject('ResetAfter');
      expect(await send(key, original)).toEqual(NO_ANSWER);
      expect(await setup.processor.inquire(setup.inquiry(key))).toMatchObject({
        kind: 'Found',
        answer: approved(amount),
      });
    });

    it('is unknown after the deadline, and a late response goes to `onLateResponse`', async () => {
      const key = newKey();
      let onLateResponse: (response: ProcessorResponse) => void = () => undefined;
      const late = new Promise<ProcessorResponse>((resolve) => (onLateResponse = resolve));
      // An adapter's timers and sockets do not keep the process alive.
      const stayAwake = setTimeout(() => undefined, 10_000);
      setup.proxy.inject(LATE);
      const call = attemptCall(key, { deadlineMs: DEADLINE_MS, onLateResponse });
      expect(await setup.processor.sale(setup.sale(1_000), call)).toEqual(NO_ANSWER);
      const answer = await late;
      clearTimeout(stayAwake);
      expect(answer).toMatchObject(approved(1_000));
      expect(await setup.processor.inquire(setup.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('is unknown after the deadline also without `onLateResponse`', async () => {
      const key = newKey();
      setup.proxy.inject(LATE);
      const stayAwake = setTimeout(() => undefined, 10_000);
      const sale = setup.processor.sale(setup.sale(1_000), attemptCall(key, { deadlineMs: DEADLINE_MS }));
      expect(await sale).toEqual(NO_ANSWER);
      clearTimeout(stayAwake);
    });

    it('ignores a repeated response, and the next payments get their own', async () => {
      setup.proxy.inject('Doubled');
      const key = newKey();
      const answer = await setup.processor.sale(setup.sale(1_000), attemptCall(key));
      expect(['Approved', 'NoAnswer']).toContain(answer.kind);
      for (const amount of [1_001, 1_002, 1_003]) {
        expect(await setup.processor.sale(setup.sale(amount), attemptCall(newKey()))).toMatchObject(
          approved(amount),
        );
      }
      expect(await setup.underTest.movedAmount(key)).toBe(1_000);
    });
  });
}

function queryFaults(setup: FaultsSetup, lost: readonly ProxyFault[]): void {
  type Query = (query: Inquiry) => Promise<InquiryResult | AnnulResult>;
  const queries: [string, 'inquire' | 'annul', 'Found' | 'AlreadyExecuted'][] = [
    ['an inquiry', 'inquire', 'Found'],
    ['an annulment', 'annul', 'AlreadyExecuted'],
  ];
  describe.each(queries)('%s', (_, method, kind) => {
    const ask: Query = (query) => setup.processor[method](query);

    it.each([...lost, 'ResetBefore' as const])(
      'is `NoAnswer` (%j), and the next one is right',
      async (fault) => {
        const key = await setup.approvedSale(1_000);
        setup.proxy.inject(fault);
        expect(await ask(setup.inquiry(key))).toEqual(NO_ANSWER);
        expect(await ask(setup.inquiry(key))).toMatchObject({ kind, answer: approved(1_000) });
        expect(await setup.underTest.movedAmount(key)).toBe(1_000);
      },
    );

    it('is `NoAnswer` after its deadline', async () => {
      const key = await setup.approvedSale(1_000);
      const stayAwake = setTimeout(() => undefined, 10_000);
      setup.proxy.inject(LATE);
      expect(await ask(setup.inquiry(key, { deadlineMs: DEADLINE_MS }))).toEqual(NO_ANSWER);
      clearTimeout(stayAwake);
      expect(await ask(setup.inquiry(key))).toMatchObject({ kind, answer: approved(1_000) });
    });

    it('ignores a repeated response, and the next one gets its own', async () => {
      const [key, other] = [await setup.approvedSale(1_000), await setup.approvedSale(2_000)];
      setup.proxy.inject('Doubled');
      expect([kind, 'NoAnswer']).toContain((await ask(setup.inquiry(key))).kind);
      expect(await ask(setup.inquiry(other))).toMatchObject({ kind, answer: approved(2_000) });
    });
  });

  it('an annulment takes effect even if its response is lost: the key is never executed', async () => {
    const key = newKey();
    setup.proxy.inject('ResetAfter');
    expect(await setup.processor.annul(setup.inquiry(key))).toEqual(NO_ANSWER);
    expect(await setup.processor.sale(setup.sale(1_000), attemptCall(key))).toMatchObject({
      kind: 'Declined',
    });
    expect(await setup.underTest.movedAmount(key)).toBe(0);
  });
}

function closedPortFaults(setup: FaultsSetup): void {
  it('without a server a payment is `NotSent`, and an inquiry is `NoAnswer`', async () => {
    const processor = setup.underTest.connect(CLOSED_PORT);
    const key = newKey();
    let hasLeft = false;
    const call = () => attemptCall(key, { onSent: () => void (hasLeft = true) });
    const notSent = { kind: 'NotSent', reason: expect.stringMatching(/./) };
    expect(await processor.sale(setup.sale(1_000), call())).toEqual(notSent);
    expect(await processor.capture(setup.about(newKey(), 100), call())).toEqual(notSent);
    expect(await processor.verify(setup.sale(0), call())).toEqual(notSent);
    expect(hasLeft).toBe(false);
    expect(await processor.inquire(setup.inquiry(key))).toEqual(NO_ANSWER);
    expect(await processor.annul(setup.inquiry(key))).toEqual(NO_ANSWER);
    expect(await processor.lastTransaction('pmt_trm_1', setup.inquiry(key))).toEqual(NO_ANSWER);
    expect(await setup.underTest.movedAmount(key)).toBe(0);
  });
}
