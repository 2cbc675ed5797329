import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookPayload } from '@tillstream/contracts';
import { WebhookRefusedError, WebhookSetupError } from '../webhook.errors.js';
import { headerReader, LEGACY_HEADER, managedHeaders } from './headers.js';
import type { ManagedHeaders, WebhookHeaders } from './headers.js';
import { payloadOf } from './payload.js';
import { legacyKey, managedKey } from './secrets.js';
import { managedSignature, MESSAGE_ID, UNIX_SECONDS } from './sign.js';
import type { BodyBytes } from './sign.js';

/** The secrets of a receiver, by method. Several are tried while one of them is replaced. */
export interface WebhookSecrets {
  /** `whsec_…`; from the creation or rotation of a managed endpoint. */
  readonly managed?: string | readonly string[];
  /** 16 to 128 characters; from the operator of the service. */
  readonly legacy?: string | readonly string[];
}

export interface WebhookRequest {
  readonly headers: WebhookHeaders;
  /** The bytes as they arrived. JSON that was parsed and written again has another signature. */
  readonly body: BodyBytes;
}

export interface VerifyOptions {
  readonly secrets: WebhookSecrets;
  /** How far the signed time of a managed delivery may be from `now`, in both directions. Default 300. */
  readonly toleranceSeconds?: number;
  /** Unix milliseconds; default `Date.now()`. */
  readonly now?: number;
}

export interface VerifiedWebhook {
  readonly method: 'Managed' | 'Legacy';
  readonly payload: WebhookPayload;
  readonly body: Uint8Array;
  /** `hook-id`, on a managed delivery. It names the message of one endpoint; `payload.event.id` names the event. */
  readonly hookId?: string;
  /** Signed unix seconds of the attempt, on a managed delivery. */
  readonly timestampSeconds?: number;
  /**
   * `hook-sequence`, which grows by one per endpoint, if the delivery has it. It is not signed: use it to notice gaps only.
   */
  readonly hookSequence?: number;
}

/** More would only make the comparison slower; the service sends at most two. */
const SIGNATURES_MAX = 16;
const TOLERANCE_SECONDS = 300;

/**
 * Returns the delivery if a secret signed exactly these bytes. A request with the headers of both methods is verified as a
 * managed one if a managed secret was given. Throws `WebhookRefusedError`, and `WebhookSetupError` for malformed secrets.
 */
export function verifyWebhook(request: WebhookRequest, options: VerifyOptions): VerifiedWebhook {
  return webhookVerifier(options)(request, options.now);
}

/** `verifyWebhook` with the secrets checked and decoded once. `now` in unix milliseconds. */
export function webhookVerifier(
  options: Omit<VerifyOptions, 'now'>,
): (request: WebhookRequest, now?: number) => VerifiedWebhook {
  const managed = listed(options.secrets.managed).map(managedKey);
  const legacy = listed(options.secrets.legacy).map(legacyKey);
  if (managed.length + legacy.length === 0) throw new WebhookSetupError('There is no secret to verify with.');
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS;
  if (!(tolerance >= 0)) throw new WebhookSetupError('The tolerance is a number of seconds from 0.');

  return ({ headers, body }, now = Date.now()) => {
    const header = headerReader(headers);
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
    const signed = managed.length > 0 ? managedHeaders(header) : undefined;
    if (signed !== undefined) {
      const timestampSeconds = verifyManaged(signed, bytes, managed);
      checkAge(timestampSeconds, now, tolerance);
      const hookSequence = sequenceOf(header('hook-sequence'));
      return {
        method: 'Managed',
        payload: payloadOf(bytes),
        body: bytes,
        hookId: signed.id,
        timestampSeconds,
        ...(hookSequence !== undefined && { hookSequence }),
      };
    }
    const checksum = legacy.length > 0 ? header(LEGACY_HEADER) : undefined;
    if (checksum === undefined) {
      throw new WebhookRefusedError('SignatureMissing', 'The request has no signature of a known method.');
    }
    verifyLegacy(checksum, bytes, legacy);
    return { method: 'Legacy', payload: payloadOf(bytes), body: bytes };
  };
}

function listed(secrets: string | readonly string[] = []): readonly string[] {
  return typeof secrets === 'string' ? [secrets] : secrets;
}

/** Returns the signed unix seconds. */
function verifyManaged(signed: ManagedHeaders, body: Uint8Array, keys: readonly Uint8Array[]): number {
  if (!MESSAGE_ID.test(signed.id)) throw new WebhookRefusedError('HeaderInvalid', 'hook-id is malformed.');
  if (!UNIX_SECONDS.test(signed.timestamp)) {
    throw new WebhookRefusedError('HeaderInvalid', 'hook-timestamp is not in unix seconds.');
  }
  // Signatures of versions to come are ignored.
  const given = signed.signature.split(' ').filter((signature) => signature.startsWith('v1,'));
  if (given.length === 0 || given.length > SIGNATURES_MAX) {
    throw new WebhookRefusedError(
      'HeaderInvalid',
      `hook-signature must have 1 to ${SIGNATURES_MAX} signatures of version v1.`,
    );
  }
  const content = `${signed.id}.${signed.timestamp}.`;
  const expected = keys.map((key) => managedSignature(content, body, key));
  expectOneEqual(given, expected);
  return Number(signed.timestamp);
}

function verifyLegacy(checksum: string, body: Uint8Array, keys: readonly Uint8Array[]): void {
  const expected = keys.map((key) => createHmac('sha256', key).update(body).digest('hex'));
  expectOneEqual([checksum], expected);
}

/**
 * Compares every pair, so that the time tells neither which one was right nor how much of it. The texts are compared, not
 * what they decode to: each signature has one text.
 */
function expectOneEqual(given: readonly string[], expected: readonly string[]): void {
  let equal = false;
  for (const one of given) {
    for (const other of expected) equal = sameText(one, other) || equal;
  }
  if (!equal) throw new WebhookRefusedError('SignatureWrong', 'No known secret made this signature.');
}

function sameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given, 'utf8'), Buffer.from(expected, 'utf8')];
  return left.length === right.length && timingSafeEqual(left, right);
}

function checkAge(timestampSeconds: number, now: number, toleranceSeconds: number): void {
  const age = Math.floor(now / 1000) - timestampSeconds;
  if (age > toleranceSeconds) {
    throw new WebhookRefusedError('TimestampTooOld', `The delivery was signed ${age} s ago.`);
  }
  if (age < -toleranceSeconds) {
    throw new WebhookRefusedError('TimestampTooNew', `The delivery was signed ${-age} s in the future.`);
  }
}

function sequenceOf(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
}
