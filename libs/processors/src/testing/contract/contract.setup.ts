import { expect, it } from '@jest/globals';
import type { Cents, Currency } from '@tillstream/domain';
import type { ProcessorNoticeSource } from '../../processor.inbox.js';
import type {
  CardCredential,
  FollowUpRequest,
  Inquiry,
  PaymentRequest,
  Processor,
  VerificationResponse,
  VerifyRequest,
} from '../../processor.port.js';
import { attemptCall, inquiryFor, newKey } from '../attempt-call.js';

/** One processor (its books included), seen through as many adapters as a test wants. */
export interface ProcessorUnderTest {
  /** A new adapter to the same books. */
  connect(): Processor;
  /** As if the service had been started again; adapters made before are not used any more. */
  restart(): Promise<void>;
  /** The processor's own books: everything that this key moved, and so 0 where it never executed. */
  movedAmount(key: string): Promise<Cents>;
  /** The processor's own books: what arrived with this key, whatever became of it; undefined where nothing did. */
  receivedRequest(key: string): Promise<ReceivedRequest | undefined>;
  /** Two of the merchant's accounts with the processor. */
  readonly accounts: readonly [string, string];
  /** Those that it takes. */
  readonly currencies: readonly Currency[];
  /** A card that approves. */
  readonly card: NonNullable<PaymentRequest['card']>;
  /** What a card that was checked is stored as. */
  readonly credentials: 'Numbers' | 'Tokens';
  /** A stored card is declined by the expiry date that its payment brings. A processor of tokens goes by its own. */
  readonly storedExpiry: true;
  /** Good for long, and its issuer says no. */
  readonly decliningCard: NonNullable<PaymentRequest['card']>;
  readonly terminalId: string;
  /** A terminal that waits for its customer, and what the customer does there, the sooner the better. */
  readonly customer: {
    readonly terminalId: string;
    tap(): Promise<void>;
    cancel(): Promise<void>;
    isAwaited(): Promise<boolean>;
  };
  /** An amount whose sale is approved late: `answersAfterMs` after it was sent. */
  readonly late: { readonly amount: Cents; readonly answersAfterMs: number };
  /** An amount whose sale a bank takes and answers later. */
  readonly submitted: LaterResponse;
  /** An amount whose sale needs the cardholder to be verified first. */
  readonly challenged: LaterResponse;
  /** What the processor says on its own of what was `submitted`. */
  readonly notices: {
    /** A new listener; one at a time. */
    connect(): ProcessorNoticeSource;
    /** The processor's own count of those that the service did not acknowledge. */
    unacknowledged(): Promise<number>;
  };
  close(): Promise<void>;
}

export interface LaterResponse {
  readonly amount: Cents;
  /** The last answer of the key: an inquiry finds it from now on. */
  settle(key: string, outcome: 'Approved' | 'Declined'): Promise<void>;
}

/** As the processor kept it. */
export interface ReceivedRequest {
  readonly account: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly networkTransactionId?: string;
}

/** What not every processor has. The tests of a part that one lacks are shown as skipped. */
export type ProcessorFeature = 'storedExpiry' | 'customer' | 'late' | 'submitted' | 'challenged' | 'notices';

export type ProcessorWithout<Lacks extends ProcessorFeature> = Omit<ProcessorUnderTest, Lacks>;

const MERCHANT = 'mer_1';
const A_TOKEN = expect.stringMatching(/^[\x21-\x7e]{1,200}$/);

/** What the tests of the contract share: the processor of the running test, and requests to it. */
export class ContractSetup {
  private current: { readonly underTest: ProcessorUnderTest; processor: Processor } | undefined;

  constructor(private readonly lacks: readonly ProcessorFeature[]) {}

  /** @param offered A world without the parts that are lacking: `itWith` skips what would look at them. */
  start(offered: object): void {
    const underTest = offered as ProcessorUnderTest;
    this.current = { underTest, processor: underTest.connect() };
  }

  async restart(): Promise<void> {
    await this.running.underTest.restart();
    this.running.processor = this.running.underTest.connect();
  }

  /** `it` of a test that needs these parts of the world. */
  itWith(...parts: readonly ProcessorFeature[]): typeof it | typeof it.skip {
    return parts.some((part) => this.lacks.includes(part)) ? it.skip : it;
  }

  get underTest(): ProcessorUnderTest {
    return this.running.underTest;
  }

  get processor(): Processor {
    return this.running.processor;
  }

  get account(): string {
    return this.underTest.accounts[0];
  }

  inquiry(key: string, account = this.account): Inquiry {
    return { ...inquiryFor(key), account };
  }

  byCard(amount: Cents): PaymentRequest {
    return { ...this.usual, channel: 'CardNotPresent', amount, card: this.underTest.card };
  }

  onTerminal(amount: Cents): PaymentRequest {
    return { ...this.usual, channel: 'CardPresent', amount, terminalId: this.underTest.terminalId };
  }

  byToken(amount: Cents, credential: CardCredential): PaymentRequest {
    const given = 'token' in credential ? { cardToken: credential } : { card: credential };
    return { ...this.usual, channel: 'Token', amount, ...given };
  }

  /** Of the world's card, once it was checked. */
  get credentialOfCard(): object {
    const { card, credentials } = this.underTest;
    const { number, expDate } = card;
    return credentials === 'Numbers' ? { number, expDate } : { token: A_TOKEN, expDate };
  }

  /** Of whichever card a terminal took. */
  get anyCredential(): object {
    const expDate = expect.stringMatching(/^\d{4}$/);
    return this.underTest.credentials === 'Numbers'
      ? { number: expect.stringMatching(/^\d{12,19}$/), expDate }
      : { token: A_TOKEN, expDate };
  }

  cardToStore(card = this.underTest.card): VerifyRequest {
    return { ...this.usual, channel: 'CardNotPresent', card };
  }

  terminalCardToStore(): VerifyRequest {
    return { ...this.usual, channel: 'CardPresent', terminalId: this.underTest.terminalId };
  }

  about(originalKey: string, amount: Cents): FollowUpRequest {
    return { ...this.usual, channel: 'CardNotPresent', amount, originalKey };
  }

  /** The key of a sale that was approved. */
  async approvedSale(amount: Cents): Promise<string> {
    const key = newKey();
    expect(await this.processor.sale(this.byCard(amount), attemptCall(key))).toMatchObject(approved(amount));
    return key;
  }

  async approvedAuthorization(amount: Cents): Promise<string> {
    const key = newKey();
    expect(await this.processor.authorize(this.byCard(amount), attemptCall(key))).toMatchObject(
      approved(amount),
    );
    return key;
  }

  /** The credential of a card that was verified under a key of its own. */
  async storedCredential(request: VerifyRequest = this.cardToStore()): Promise<CardCredential> {
    return credentialOf(await this.processor.verify(request, attemptCall(newKey())));
  }

  private get usual() {
    const [currency = 'USD'] = this.underTest.currencies;
    return { merchantId: MERCHANT, account: this.account, currency } as const;
  }

  private get running() {
    if (!this.current) throw new Error('no test is running');
    return this.current;
  }
}

export function approved(amount: Cents) {
  return { kind: 'Approved', amount, facts: expect.objectContaining({ responseCode: 1 }) };
}

export function credentialOf(answer: VerificationResponse): CardCredential {
  if (answer.kind !== 'Approved') throw new Error(`not approved: ${JSON.stringify(answer)}`);
  return answer.credential;
}

/** What a credential must not show of itself in facts. */
export function secretOf(credential: CardCredential): string {
  return 'token' in credential ? credential.token : credential.number;
}
