import type {
  AttemptOutcome,
  AttemptRequested,
  Cancelled,
  Interrupted,
  NotExecuted,
  NotSent,
} from '../attempt/index.js';
import type { ConsentGiven, HostedForm } from '../hosted-form/index.js';
import { eventCodec, type EventsOf, type Upcast } from '../shared/aggregate.js';
import type { Channel, Currency, ResultCode } from '../shared/codes.js';
import type {
  CommandEventData,
  Encrypted,
  OperationEventData,
  PaymentMethodSnapshot,
} from '../shared/event.shapes.js';
import { parseOperationId, parseTokenRoot } from '../shared/ids.js';
import type { ChallengeEnded, ChallengeOpened, ThreeDsCompleted } from '../three-ds/index.js';

export const TOKEN_CATEGORY = 'token';

export function tokenStream(root: string): string {
  return `${TOKEN_CATEGORY}-${root}`;
}

/** Undefined if the text is not a `pmt_tkn_` id of this service. */
export function streamOfToken(tokenId: string): string | undefined {
  const root = parseTokenRoot(tokenId);
  return root === undefined ? undefined : tokenStream(root);
}

/** Undefined if the text is not the id of a token's operation. */
export function streamOfTokenOperation(text: string): string | undefined {
  const address = parseOperationId(text);
  return address?.category === 'token' ? tokenStream(address.root) : undefined;
}

export interface TokenRequested extends CommandEventData {
  readonly referenceId: string;
  readonly merchantId: string;
  readonly tokenId: string;
  readonly channel: Channel;
  readonly currency: Currency;
  /** The terminal or form that takes the card. */
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly terminalId?: string;
  readonly description?: string;
  readonly accountHolderId?: string;
  /** Present if a customer fills in a hosted form. */
  readonly form?: HostedForm;
}

export interface TokenUpdated extends CommandEventData {
  readonly referenceId: string;
  readonly description?: string;
  readonly accountHolderId?: string;
  /** The complete personal data after the change, sealed. */
  readonly personal?: Encrypted;
}

export interface TokenRemoved extends CommandEventData {
  readonly referenceId: string;
  /** The account holder whose erasure removed the token; absent if the merchant removed it. */
  readonly erasedHolderId?: string;
}

/**
 * The data of each type of event. Storage: these shapes never change (docs/adr/0014). Stream `token-<root>`: a stored
 * card or bank account, from its verification to its removal. The number itself is in the vault, under the token's id.
 */
export interface TokenEvents {
  TokenRequested: TokenRequested;

  /** Of a bank account: in the append of the attempt that stores it. It authorizes later debits. */
  StorageConsentGiven: ConsentGiven;

  // The card verification.
  VerificationRequested: AttemptRequested & {
    /** Of a submitted form: expiry and billing contact, sealed under a key of the attempt. */
    readonly personal?: Encrypted;
  };
  VerificationNotSent: NotSent;
  VerificationInterrupted: Interrupted;
  VerificationThreeDsCompleted: ThreeDsCompleted;
  VerificationChallengeOpened: ChallengeOpened;
  VerificationChallengeEnded: ChallengeEnded;
  /** A submission of the form was not approved; the form goes on. */
  VerificationFailed: AttemptOutcome & { readonly resultCode: ResultCode };

  // Its outcomes.
  /**
   * The issuer approved, and the vault has the card. `token` has the token's id, the type `Token`, and, in `personal`,
   * expiry and billing contact, sealed under the token's own key.
   */
  TokenCreated: AttemptOutcome & { readonly token: PaymentMethodSnapshot };
  VerificationDeclined: AttemptOutcome & { readonly resultCode: ResultCode };
  VerificationCancelled: Cancelled;
  VerificationNotExecuted: NotExecuted;
  VerificationFormExpired: OperationEventData;

  // Later changes.
  TokenUpdated: TokenUpdated;
  TokenRemoved: TokenRemoved;
  /** From here on the token's sealed data can not be decrypted. */
  TokenKeysDestroyed: OperationEventData;
}

export type TokenEvent = EventsOf<TokenEvents>;

/** Version 1 was written for terminals only, which give the card with their answer. */
const withoutPersonal: Upcast = (data) => data;

/** Frozen examples of each version are in `fixtures/`. */
export const tokenCodec = eventCodec<TokenEvent>({
  types: {
    TokenRequested: [],
    StorageConsentGiven: [],
    VerificationRequested: [withoutPersonal],
    VerificationNotSent: [],
    VerificationInterrupted: [],
    VerificationThreeDsCompleted: [],
    VerificationChallengeOpened: [],
    VerificationChallengeEnded: [],
    VerificationFailed: [],
    TokenCreated: [],
    VerificationDeclined: [],
    VerificationCancelled: [],
    VerificationNotExecuted: [],
    VerificationFormExpired: [],
    TokenUpdated: [],
    TokenRemoved: [],
    TokenKeysDestroyed: [],
  },
});
