import { expect, it } from '@jest/globals';
import type { Cents, Currency } from '@tillstream/domain';
import type { ProcessorNoticeSource } from '../../processor.inbox.js';
import type {
  BankAccountDetails,
  CardCredential,
  FollowUpRequest,
  Inquiry,
  PaymentRequest,
  Processor,
  VerificationResponse,
  VerifyRequest,
} from '../../processor.port.js';
import { attemptCall, inquiryFor, newKey } from '../attempt-call.js';

/** One processor with its ledger, and any number of adapters to it. */
export interface ProcessorUnderTest {
  /** Makes a new adapter to the same processor. */
  connect(): Processor;
  /** Simulates a restart of the service. The test does not use earlier adapters after it. */
  restart(): Promise<void>;
  /** From the processor's ledger: the amount that the key moved; 0 if it never executed. */
  movedAmount(key: string): Promise<Cents>;
  /** From the processor's ledger: the request that arrived with the key, executed or not. */
  receivedRequest(key: string): Promise<ReceivedRequest | undefined>;
  /** Two of the merchant's accounts with the processor. */
  readonly accounts: readonly [string, string];
  readonly currencies: readonly Currency[];
  /** The processor approves it. */
  readonly card: NonNullable<PaymentRequest['card']>;
  /** The kind of credential of a verified card. */
  readonly credentials: 'Numbers' | 'Tokens';
  /** The processor declines a stored card by the expiry date in the request. A processor of tokens ignores that date. */
  readonly storedExpiry: true;
  /** Not expired, but its issuer declines. */
  readonly decliningCard: NonNullable<PaymentRequest['card']>;
  readonly terminalId: string;
  /** A terminal that waits for its customer. The actions take effect as soon as possible. */
  readonly customer: {
    readonly terminalId: string;
    tap(): Promise<void>;
    cancel(): Promise<void>;
    isAwaited(): Promise<boolean>;
  };
  /** A sale of this amount is approved `answersAfterMs` after it was sent. */
  readonly late: { readonly amount: Cents; readonly answersAfterMs: number };
  /** A bank takes a sale of this amount and answers later. */
  readonly submitted: LaterResponse;
  /** A sale of this amount needs a challenge of the cardholder first. */
  readonly challenged: LaterResponse;
  /** The processor's notices about `submitted` sales. */
  readonly notices: {
    /** Makes a new source; one at a time. */
    connect(): ProcessorNoticeSource;
    /** The processor's own count of notices that the service did not acknowledge. */
    unacknowledged(): Promise<number>;
  };
  /** Bank payments, by channel `Ach` and `Eft`. */
  readonly bank: {
    /** The bank declines one, returns one after its approval (72 h), and sends a notice of change about one. */
    readonly accounts: Readonly<Record<BankAccountKind, BankAccountDetails>>;
    /** Advances the service's clock. */
    pass(hours: number): Promise<void>;
    /** Makes a new source of the bank's notices. Several may deliver at a time. */
    connect(): ProcessorNoticeSource;
  };
  close(): Promise<void>;
}

export type BankAccountKind = 'approved' | 'declined' | 'returned' | 'changed';

export interface LaterResponse {
  readonly amount: Cents;
  /** Sets the final response of the key: an inquiry finds it from now on. */
  settle(key: string, outcome: 'Approved' | 'Declined'): Promise<void>;
}

/** The fields that the processor stored. */
export interface ReceivedRequest {
  readonly account: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly networkTransactionId?: string;
}

/** Not every processor has all features. The tests of a missing feature are skipped. */
export type ProcessorFeature =
  'storedExpiry' | 'customer' | 'late' | 'submitted' | 'challenged' | 'notices' | 'bank';

export type ProcessorWithout<Lacks extends ProcessorFeature> = Omit<ProcessorUnderTest, Lacks>;

const MERCHANT = 'mer_1';
const A_TOKEN = expect.stringMatching(/^[\x21-\x7e]{1,200}$/);

/** The processor of the running test, and requests to it. */
export class ContractSetup {
  private current: { readonly underTest: ProcessorUnderTest; processor: Processor } | undefined;

  constructor(private readonly lacks: readonly ProcessorFeature[]) {}

  /** @param given lacks the missing features: `itWith` skips the tests that use them */
  start(given: object): void {
    const underTest = given as ProcessorUnderTest;
    this.current = { underTest, processor: underTest.connect() };
  }

  async restart(): Promise<void> {
    await this.running.underTest.restart();
    this.running.processor = this.running.underTest.connect();
  }

  /** `it` for a test that needs these features. */
  itWith(...features: readonly ProcessorFeature[]): typeof it | typeof it.skip {
    return features.some((feature) => this.lacks.includes(feature)) ? it.skip : it;
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

  byBank(amount: Cents, account: BankAccountKind = 'approved'): PaymentRequest {
    return { ...this.usual, channel: 'Ach', amount, bankAccount: this.underTest.bank.accounts[account] };
  }

  onTerminal(amount: Cents): PaymentRequest {
    return { ...this.usual, channel: 'CardPresent', amount, terminalId: this.underTest.terminalId };
  }

  byToken(amount: Cents, credential: CardCredential): PaymentRequest {
    const given = 'token' in credential ? { cardToken: credential } : { card: credential };
    return { ...this.usual, channel: 'Token', amount, ...given };
  }

  get credentialOfCard(): object {
    const { card, credentials } = this.underTest;
    const { number, expDate } = card;
    return credentials === 'Numbers' ? { number, expDate } : { token: A_TOKEN, expDate };
  }

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

  aboutBank(originalKey: string, amount: Cents): FollowUpRequest {
    return { ...this.about(originalKey, amount), channel: 'Ach' };
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

/** Facts must not contain it. */
export function secretOf(credential: CardCredential): string {
  return 'token' in credential ? credential.token : credential.number;
}
