import { errorMessage } from '@tillstream/runtime';
import type { AttemptResult, ClaimedDelivery, DeliveryEndpoint } from '../delivery.types.js';
import { attemptRequest } from './attempt.request.js';
import type { DeliveryAnswer, DeliveryRequest } from './posted.delivery.js';
import { nextAttemptAt } from './retry.schedule.js';

/** Opens what the store keeps encrypted. All methods fail if the text was not sealed for this id. */
export interface DeliverySeals {
  /** @param sealed base64 */
  openSecret(endpointId: string, sealed: string): Promise<string>;
  openBody(eventId: string, sealed: Uint8Array): Uint8Array;
  sealAnswer(deliveryId: string, answer: Uint8Array): Uint8Array;
}

export interface SendingClock {
  /** Ms since 1970 by the service's clock. */
  now(): number;
  /** Ms since 1970 in real time. */
  realNow(): number;
}

export interface AttemptOptions {
  readonly client: { post(request: DeliveryRequest): Promise<DeliveryAnswer> };
  readonly seals: DeliverySeals;
  readonly clock: SendingClock;
  readonly userAgent: string;
  /** In [0, 1), for the jitter of the retries. */
  random(): number;
  /** Removes card numbers and keys from the text of an answer. */
  redact(text: string): string;
}

export interface Attempted {
  readonly result: AttemptResult;
  /** The endpoint answered 410: it wants no more deliveries. */
  readonly isGone: boolean;
  readonly durationMs: number;
}

const GONE = 410;

/** Sends one claimed delivery once, and decides what follows. Never rejects. */
export async function attemptDelivery(
  options: AttemptOptions,
  endpoint: DeliveryEndpoint,
  delivery: ClaimedDelivery,
): Promise<Attempted> {
  const { client, clock, seals } = options;
  const at = clock.now();
  let secrets: readonly string[] = [];
  let answer: DeliveryAnswer;
  try {
    secrets = await openSecrets(options, endpoint);
    const body = seals.openBody(delivery.eventId, delivery.body);
    const opened = { endpoint, delivery, body, secrets };
    answer = await client.post(attemptRequest(opened, clock.realNow(), options.userAgent));
  } catch (error) {
    // A key that does not fit, or a malformed URL: the delivery is retried as after any other failure.
    answer = unsent(error);
  }
  const { status, durationMs, error } = answer;
  const isSuccess = error === undefined && status !== undefined && status >= 200 && status < 300;
  const kept = keptAnswer(options, delivery, answer, secrets);
  const failure = isSuccess ? undefined : (error ?? `the endpoint answered ${status}`);
  const attempt = {
    at,
    durationMs,
    ...(status !== undefined && { status }),
    ...(kept && { answer: kept }),
    ...(failure !== undefined && { error: failure }),
  };
  const outcome = isSuccess ? ({ kind: 'Succeeded' } as const) : failedOutcome(options, delivery, answer);
  const result = { deliveryId: delivery.deliveryId, attempt, outcome };
  return { result, isGone: status === GONE, durationMs };
}

function unsent(error: unknown): DeliveryAnswer {
  const text = `it could not be sent: ${errorMessage(error)}`;
  return { status: undefined, answer: new Uint8Array(), durationMs: 0, error: text };
}

/** The current one first. */
async function openSecrets(
  { seals, clock }: AttemptOptions,
  { id, secret, oldSecret }: DeliveryEndpoint,
): Promise<readonly string[]> {
  const hasOld = oldSecret !== undefined && Date.parse(oldSecret.until) > clock.now();
  const sealed = hasOld ? [secret, oldSecret.secret] : [secret];
  return Promise.all(sealed.map((one) => seals.openSecret(id, one)));
}

function failedOutcome(
  { clock, random }: AttemptOptions,
  { attempts, replayOf }: ClaimedDelivery,
  { retryAfter }: DeliveryAnswer,
): AttemptResult['outcome'] {
  // A replay outside of the schedule is not retried.
  if (replayOf !== undefined) return { kind: replayOf };
  const ended = { endedAt: clock.now(), realEndedAt: clock.realNow() };
  const failed = { attempts: attempts + 1, ...ended, ...(retryAfter !== undefined && { retryAfter }) };
  const nextTryAt = nextAttemptAt(failed, random());
  return nextTryAt === undefined ? { kind: 'Exhausted' } : { kind: 'Failed', nextTryAt };
}

/** The answer as merchants and operators may read it: without card numbers, keys, and the endpoint's own secret. */
function keptAnswer(
  { redact, seals }: AttemptOptions,
  { deliveryId }: ClaimedDelivery,
  { answer }: DeliveryAnswer,
  secrets: readonly string[],
): Uint8Array | undefined {
  if (answer.byteLength === 0) return undefined;
  const text = secrets.reduce(
    (plain, secret) => plain.replaceAll(secret, '…'),
    Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).toString('utf8'),
  );
  return seals.sealAnswer(deliveryId, Buffer.from(redact(text), 'utf8'));
}
