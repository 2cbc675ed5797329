import { expect } from '@jest/globals';
import type { Cents } from '@tillstream/domain';
import type {
  CardCredential,
  FollowUpRequest,
  PaymentRequest,
  Processor,
  VerifyAnswer,
  VerifyRequest,
} from '../processor.port.js';
import { callOf, newKey } from './call.js';

/** One processor (its books included), seen through as many adapters as a test wants. */
export interface ProcessorUnderTest {
  /** A new adapter to the same books. */
  connect(): Processor;
  /** As if the service had been started again; adapters made before are not used any more. */
  restart(): Promise<void>;
  /** The processor's own books: everything that this key moved, and so 0 where it never executed. */
  moved(key: string): Promise<Cents>;
  /** A card that approves. */
  readonly card: NonNullable<PaymentRequest['card']>;
  /** Good for long, and its issuer says no. */
  readonly decliningCard: NonNullable<PaymentRequest['card']>;
  readonly terminalId: string;
  /** A terminal that waits for its customer, and what the customer does there, the sooner the better. */
  readonly customer?: {
    readonly terminalId: string;
    tap(): Promise<void>;
    cancel(): Promise<void>;
    isAwaited(): Promise<boolean>;
  };
  /** An amount whose sale is approved late: `answersAfterMs` after it was sent. */
  readonly late?: { readonly amount: Cents; readonly answersAfterMs: number };
  close(): Promise<void>;
}

const USD = { merchantId: 'mer_1', account: 'acct', currency: 'USD' } as const;

/** What the tests of the contract share: the processor of the running test, and requests to it. */
export class ContractStage {
  private current: { readonly world: ProcessorUnderTest; processor: Processor } | undefined;

  async begin(factory: () => Promise<ProcessorUnderTest>): Promise<void> {
    const world = await factory();
    this.current = { world, processor: world.connect() };
  }

  async restart(): Promise<void> {
    await this.running.world.restart();
    this.running.processor = this.running.world.connect();
  }

  get world(): ProcessorUnderTest {
    return this.running.world;
  }

  get processor(): Processor {
    return this.running.processor;
  }

  byCard(amount: Cents): PaymentRequest {
    return { ...USD, channel: 'CardNotPresent', amount, card: this.world.card };
  }

  onTerminal(amount: Cents): PaymentRequest {
    return { ...USD, channel: 'CardPresent', amount, terminalId: this.world.terminalId };
  }

  byToken(amount: Cents, { number, expDate }: CardCredential): PaymentRequest {
    return { ...USD, channel: 'Token', amount, card: { number, expDate } };
  }

  cardToStore(card = this.world.card): VerifyRequest {
    return { ...USD, channel: 'CardNotPresent', card };
  }

  terminalCardToStore(): VerifyRequest {
    return { ...USD, channel: 'CardPresent', terminalId: this.world.terminalId };
  }

  about(originalKey: string, amount: Cents): FollowUpRequest {
    return { ...USD, channel: 'CardNotPresent', amount, originalKey };
  }

  /** The key of a sale that was approved. */
  async sold(amount: Cents): Promise<string> {
    const key = newKey();
    expect(await this.processor.sale(this.byCard(amount), callOf(key))).toMatchObject(approved(amount));
    return key;
  }

  async authorized(amount: Cents): Promise<string> {
    const key = newKey();
    expect(await this.processor.authorize(this.byCard(amount), callOf(key))).toMatchObject(approved(amount));
    return key;
  }

  /** The credential of a card that was verified under a key of its own. */
  async stored(request: VerifyRequest = this.cardToStore()): Promise<CardCredential> {
    return credentialOf(await this.processor.verify(request, callOf(newKey())));
  }

  private get running() {
    if (!this.current) throw new Error('no test is running');
    return this.current;
  }
}

export function approved(amount: Cents) {
  return { kind: 'Approved', amount, facts: expect.objectContaining({ responseCode: 1 }) };
}

export function credentialOf(answer: VerifyAnswer): CardCredential {
  if (answer.kind !== 'Approved') throw new Error(`not approved: ${JSON.stringify(answer)}`);
  return answer.credential;
}
