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

/** A processor whose server listens on loopback, and its books. */
export interface ProcessorBehindProxy {
  readonly port: number;
  /** A new adapter that finds the server at this port of 127.0.0.1. */
  connect(port: number): Processor;
  /** The processor's own books: everything that this key moved, and so 0 where it never executed. */
  movedAmount(key: string): Promise<Cents>;
  readonly account: string;
  /** A card that approves. */
  readonly card: NonNullable<PaymentRequest['card']>;
  close(): Promise<void>;
}

/** How an adapter's answers say to which call they belong. */
export interface ResponseCorrelation {
  /** Fields of their JSON that name the call, each a text: an answer that has another one is not taken. */
  readonly namedIn: readonly string[];
}

/** Longer than an answer takes on loopback, ms. */
const DEADLINE_MS = 250;
const LATE: ProxyFault = { delayMs: DEADLINE_MS };
const NO_ANSWER = { kind: 'NoAnswer' };
/** Certain that nobody listens there. */
const CLOSED_PORT = 1;

/**
 * What every adapter over a network promises when the network fails: it says that it does not know where it does not,
 * never that nothing was executed, it takes no answer of another call, and it never throws. Call it in one line in the
 * adapter's spec.
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
  describe(`${name} over a line that fails`, () => {
    const stage = new FaultsSetup();
    beforeEach(() => stage.begin(factory));
    afterEach(() => stage.end());
    paymentFaults(stage, lost);
    queryFaults(stage, lost);
    closedPortFaults(stage);
  });
}

class FaultsSetup {
  private world: ProcessorBehindProxy | undefined;
  private opened: FaultyProxy | undefined;
  private adapter: Processor | undefined;

  async begin(factory: () => Promise<ProcessorBehindProxy>): Promise<void> {
    this.world = await factory();
    this.opened = await openFaultyProxy(this.world.port);
    this.adapter = this.world.connect(this.opened.port);
  }

  async end(): Promise<void> {
    await this.world?.close();
    await this.opened?.close();
  }

  get processor(): Processor {
    return required(this.adapter);
  }

  get proxy(): FaultyProxy {
    return required(this.opened);
  }

  get books(): ProcessorBehindProxy {
    return required(this.world);
  }

  sale(amount: Cents): PaymentRequest {
    const { account, card } = this.books;
    return { merchantId: 'mer_1', account, currency: 'USD', channel: 'CardNotPresent', amount, card };
  }

  about(originalKey: string, amount: Cents): FollowUpRequest {
    const { account } = this.books;
    return { merchantId: 'mer_1', account, currency: 'USD', channel: 'CardNotPresent', amount, originalKey };
  }

  inquiry(key: string, rest: Partial<Inquiry> = {}): Inquiry {
    return { ...inquiryFor(key), account: this.books.account, ...rest };
  }

  /** The key of a sale that was approved, over the line without a fault. */
  async approvedSale(amount: Cents): Promise<string> {
    const key = newKey();
    expect(await this.processor.sale(this.sale(amount), attemptCall(key))).toMatchObject(approved(amount));
    return key;
  }
}

function required<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('no test is running');
  return part;
}

function paymentFaults(stage: FaultsSetup, lost: readonly ProxyFault[]): void {
  describe('a payment', () => {
    it('whose connection breaks before it arrives is unknown: an inquiry does not find it', async () => {
      const key = newKey();
      stage.proxy.inject('ResetBefore');
      expect(await stage.processor.sale(stage.sale(1_000), attemptCall(key))).toEqual(NO_ANSWER);
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'NotFound' });
      expect(await stage.books.movedAmount(key)).toBe(0);
    });

    it.each(lost)(
      'whose answer is lost or not its own is unknown, and found by an inquiry: %j',
      async (fault) => {
        const key = newKey();
        stage.proxy.inject(fault);
        expect(await stage.processor.sale(stage.sale(1_000), attemptCall(key))).toEqual(NO_ANSWER);
        expect(await stage.books.movedAmount(key)).toBe(1_000);
        expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject({
          kind: 'Found',
          answer: approved(1_000),
        });
        expect(await stage.processor.sale(stage.sale(700), attemptCall(newKey()))).toMatchObject(
          approved(700),
        );
      },
    );

    type Send = (key: string, original: string) => Promise<ProcessorResponse>;
    const others: [string, Send, Cents][] = [
      [
        'a refund',
        (key, original) => stage.processor.refund(stage.about(original, 400), attemptCall(key)),
        400,
      ],
      ['a check of a card', (key) => stage.processor.verify(stage.sale(0), attemptCall(key)), 0],
    ];
    it.each(others)('or %s whose answer is lost is unknown too', async (_, send, amount) => {
      const [key, original] = [newKey(), await stage.approvedSale(900)];
      stage.proxy.inject('ResetAfter');
      expect(await send(key, original)).toEqual(NO_ANSWER);
      expect(await stage.processor.inquire(stage.inquiry(key))).toMatchObject({
        kind: 'Found',
        answer: approved(amount),
      });
    });

    it('whose answer comes after the deadline is unknown, and its answer handed on', async () => {
      const key = newKey();
      let handOn: (answer: ProcessorResponse) => void = () => undefined;
      const late = new Promise<ProcessorResponse>((resolve) => (handOn = resolve));
      // Timers and sockets that wait for late answers keep no process awake, and so not this test.
      const stayAwake = setTimeout(() => undefined, 10_000);
      stage.proxy.inject(LATE);
      const call = attemptCall(key, { deadlineMs: DEADLINE_MS, onLateResponse: handOn });
      expect(await stage.processor.sale(stage.sale(1_000), call)).toEqual(NO_ANSWER);
      const answer = await late;
      clearTimeout(stayAwake);
      expect(answer).toMatchObject(approved(1_000));
      expect(await stage.processor.inquire(stage.inquiry(key))).toEqual({ kind: 'Found', answer });
    });

    it('whose answer comes after the deadline is unknown also where nobody waits for it', async () => {
      const key = newKey();
      stage.proxy.inject(LATE);
      const stayAwake = setTimeout(() => undefined, 10_000);
      const sale = stage.processor.sale(stage.sale(1_000), attemptCall(key, { deadlineMs: DEADLINE_MS }));
      expect(await sale).toEqual(NO_ANSWER);
      clearTimeout(stayAwake);
    });

    it('whose answer comes twice is answered once, and the next payments by their own', async () => {
      stage.proxy.inject('Doubled');
      const key = newKey();
      const answer = await stage.processor.sale(stage.sale(1_000), attemptCall(key));
      expect(['Approved', 'NoAnswer']).toContain(answer.kind);
      for (const amount of [1_001, 1_002, 1_003]) {
        expect(await stage.processor.sale(stage.sale(amount), attemptCall(newKey()))).toMatchObject(
          approved(amount),
        );
      }
      expect(await stage.books.movedAmount(key)).toBe(1_000);
    });
  });
}

function queryFaults(stage: FaultsSetup, lost: readonly ProxyFault[]): void {
  type Question = (query: Inquiry) => Promise<InquiryResult | AnnulResult>;
  const questions: [string, 'inquire' | 'annul', 'Found' | 'AlreadyExecuted'][] = [
    ['an inquiry', 'inquire', 'Found'],
    ['an annulment', 'annul', 'AlreadyExecuted'],
  ];
  describe.each(questions)('%s', (_, question, kind) => {
    const ask: Question = (query) => stage.processor[question](query);

    it.each([...lost, 'ResetBefore' as const])(
      'has no answer (%j), and the next one is right',
      async (fault) => {
        const key = await stage.approvedSale(1_000);
        stage.proxy.inject(fault);
        expect(await ask(stage.inquiry(key))).toEqual(NO_ANSWER);
        expect(await ask(stage.inquiry(key))).toMatchObject({ kind, answer: approved(1_000) });
        expect(await stage.books.movedAmount(key)).toBe(1_000);
      },
    );

    it('has no answer after its deadline', async () => {
      const key = await stage.approvedSale(1_000);
      const stayAwake = setTimeout(() => undefined, 10_000);
      stage.proxy.inject(LATE);
      expect(await ask(stage.inquiry(key, { deadlineMs: DEADLINE_MS }))).toEqual(NO_ANSWER);
      clearTimeout(stayAwake);
      expect(await ask(stage.inquiry(key))).toMatchObject({ kind, answer: approved(1_000) });
    });

    it('whose answer comes twice is answered once, and the next by its own', async () => {
      const [key, other] = [await stage.approvedSale(1_000), await stage.approvedSale(2_000)];
      stage.proxy.inject('Doubled');
      expect([kind, 'NoAnswer']).toContain((await ask(stage.inquiry(key))).kind);
      expect(await ask(stage.inquiry(other))).toMatchObject({ kind, answer: approved(2_000) });
    });
  });

  it('an annulment whose answer is lost has happened: the key is never executed', async () => {
    const key = newKey();
    stage.proxy.inject('ResetAfter');
    expect(await stage.processor.annul(stage.inquiry(key))).toEqual(NO_ANSWER);
    expect(await stage.processor.sale(stage.sale(1_000), attemptCall(key))).toMatchObject({
      kind: 'Declined',
    });
    expect(await stage.books.movedAmount(key)).toBe(0);
  });
}

function closedPortFaults(stage: FaultsSetup): void {
  it('where nobody listens nothing was sent, and nothing is known', async () => {
    const processor = stage.books.connect(CLOSED_PORT);
    const key = newKey();
    let hasLeft = false;
    const call = () => attemptCall(key, { onSent: () => void (hasLeft = true) });
    const notSent = { kind: 'NotSent', reason: expect.stringMatching(/./) };
    expect(await processor.sale(stage.sale(1_000), call())).toEqual(notSent);
    expect(await processor.capture(stage.about(newKey(), 100), call())).toEqual(notSent);
    expect(await processor.verify(stage.sale(0), call())).toEqual(notSent);
    expect(hasLeft).toBe(false);
    expect(await processor.inquire(stage.inquiry(key))).toEqual(NO_ANSWER);
    expect(await processor.annul(stage.inquiry(key))).toEqual(NO_ANSWER);
    expect(await processor.lastTransaction('pmt_trm_1', stage.inquiry(key))).toEqual(NO_ANSWER);
    expect(await stage.books.movedAmount(key)).toBe(0);
  });
}
