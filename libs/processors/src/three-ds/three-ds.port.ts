import type { Cents, Currency, ThreeDsFacts } from '@tillstream/domain';
import type { BillingDetails, CardNumber } from '../processor.port.js';

/**
 * The port to a 3-D Secure server, which authenticates the cardholder of an attempt before the processor gets it
 * (`docs/spec/three-d-secure.md`). No call rejects because of the server or the network: each resolves with a result. No
 * call moves money.
 */
export interface ThreeDsServer {
  /** Every challenge stores it: later questions go to the server of this name. It never changes. */
  readonly name: string;
  /** The same key never makes a second authentication; a repeated key gets the first result. */
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult>;
  /** The state of a challenge. Changes nothing. */
  challengeResult(query: ChallengeQuery): Promise<ChallengeResult>;
}

export interface AuthenticationRequest {
  /** Of the attempt, `<trx id>.<try>`. */
  readonly key: string;
  readonly merchantId: string;
  readonly merchantName: string;
  /** 0 for a card that will only be stored. */
  readonly amount: Cents;
  readonly currency: Currency;
  /** Decrypted for this call only. */
  readonly card: CardNumber;
  readonly billing?: BillingDetails;
  /** A challenge that the cardholder has not answered by then fails. RFC 3339, the service's clock. */
  readonly challengeExpiresAt: string;
  /** From the call on, ms. Then the result is `NoAnswer`. */
  readonly deadlineMs: number;
}

export type AuthenticationResult =
  /** Final, without a challenge. `Failed`, `Unavailable` and `NotEnrolled` end the attempt. */
  | { readonly kind: 'Completed'; readonly threeDs: ThreeDsFacts }
  /** The cardholder has to answer a challenge of the card's issuer first. */
  | {
      readonly kind: 'ChallengeRequired';
      /** 1 to 100 characters of base64url, not guessable: it is the credential of the challenge's page. */
      readonly challengeId: string;
      /** The issuer's page; a path is a page of this service. */
      readonly redirectUrl: string;
    }
  /** The service treats it as `Unavailable`. */
  | { readonly kind: 'NoAnswer' };

export interface ChallengeQuery {
  readonly key: string;
  readonly challengeId: string;
  readonly deadlineMs: number;
}

export type ChallengeResult =
  /** Final: the cardholder answered, or the server gave up. */
  | { readonly kind: 'Completed'; readonly threeDs: ThreeDsFacts }
  /** The cardholder has not answered yet. */
  | { readonly kind: 'Open' }
  /** The server has no such challenge. */
  | { readonly kind: 'Unknown' }
  | { readonly kind: 'NoAnswer' };
