import type { ErrorDetail, FormProgress } from '@tillstream/contracts';
import { pauseMs, type Pause } from './backoff.js';
import type { Submission, Reply, SessionClient } from './session.client.js';

export type Submitted =
  | { readonly kind: 'progress'; readonly progress: FormProgress }
  | { readonly kind: 'invalid'; readonly details: readonly ErrorDetail[] }
  /** The service does not know the outcome: the customer must not pay again. */
  | { readonly kind: 'interrupted' }
  /** A submission is in flight: this one, or one of another window. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'limited'; readonly seconds: number | undefined }
  /** Not executed, or the form is over: the session says which. `code` of the error, if there was one. */
  | { readonly kind: 'refused'; readonly code: number | undefined }
  /** No answer came to any repetition. */
  | { readonly kind: 'lost' };

const REPETITIONS = 4;
const BUSY_ERROR = 3401;

/** Random, so that no two submissions have the same key; without a secure context there is no `randomUUID`. */
export function newSubmissionKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends a submission, and repeats it with the same key while its answer is lost. */
export async function submitRepeatedly(
  client: Pick<SessionClient, 'submit'>,
  submission: Submission,
  key: string,
  { pause, onLost }: { readonly pause: Pause; readonly onLost: () => void },
): Promise<Submitted> {
  for (let repetition = 0; ; repetition++) {
    const submitted = submittedOf(await client.submit(submission, key));
    if (submitted.kind !== 'lost' || repetition === REPETITIONS) return submitted;
    onLost();
    await pause(pauseMs(repetition));
  }
}

export function submittedOf(reply: Reply<FormProgress>): Submitted {
  if (reply.kind === 'lost') return reply;
  if (reply.kind === 'success') return { kind: 'progress', progress: reply.body };
  const { httpStatus, error, retryAfterSeconds } = reply;
  if (error.status === 'Interrupted') return { kind: 'interrupted' };
  if (httpStatus === 429) return { kind: 'limited', seconds: retryAfterSeconds };
  if (httpStatus === 409 && error.code === BUSY_ERROR) return { kind: 'busy' };
  const details = error.errorDetails ?? [];
  const isInvalid = httpStatus === 400 && details.some(({ field }) => field !== undefined);
  return isInvalid ? { kind: 'invalid', details } : { kind: 'refused', code: error.code };
}
