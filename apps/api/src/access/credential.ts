import type { Actor } from '@tillstream/payments';
import type { ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';

/** The fields of every kind of caller. A kind adds those that its routes need, such as the `merchant` that it acts for. */
export interface CallerFacts {
  /** The tag of the union `Caller`, and the name in `@Callers`. */
  readonly kind: string;
  /** Recorded in the events of what the caller changes. */
  readonly actor: Actor;
  /**
   * Whose `Idempotency-Key`s the caller uses: equal keys of two owners are two keys. A merchant's is its id. Absent: the
   * service stores no response under the caller's keys, and computes no fingerprint of its requests.
   */
  readonly idempotencyOwner?: string;
}

/** A token bucket (`docs/spec/authentication.md#rate-limit`). */
export interface Rate {
  /** Callers of one bucket share it. Unique over all kinds of callers. */
  readonly bucket: string;
  readonly perSecond: number;
  /** Size of the bucket, in requests. */
  readonly burst: number;
}

/** The properties of a call that a permission depends on. */
export interface RequestedAccess {
  /** False: the method is a writing one, on a path that exists. */
  readonly readsOnly: boolean;
  /** Writing needs a merchant with `managedWebhooks`. */
  readonly managesWebhooks: boolean;
}

/**
 * A kind of credential: where a request carries it, its form, its caller, and the error without it. The guard throws 401
 * before 429, also for a missing permission, and 429 before every other error. Every member decides for one kind only; no
 * other part of the service reads credentials.
 */
export interface Credential<Caller extends CallerFacts = CallerFacts> {
  readonly kind: Caller['kind'];

  /** The credential that the request carries; undefined: none of this form. Reads no store. */
  sentIn(request: ApiRequest): string | undefined;

  /**
   * The caller that the credential stands for; undefined if it is unknown or revoked.
   *
   * @throws ApiError if the end of its validity has an error of its own, such as an expired session
   */
  callerOf(credential: string, request: ApiRequest): Promise<Caller | undefined>;

  /** The error of a request without a valid credential. It never contains what was sent. */
  invalid(request: ApiRequest): ApiError;

  /** Undefined: the caller has no rate limit, and its responses have no rate limit headers. */
  rateOf(caller: Caller): Rate | undefined;

  /** The error of a valid caller without permission for this call; undefined: it has it. The call takes no token then. */
  forbidden(caller: Caller, access: RequestedAccess): ApiError | undefined;
}
