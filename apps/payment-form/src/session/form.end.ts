import type { FormMessage, FormProgress } from '@tillstream/contracts';
import { declineReason, type DeclineReason } from './decline.reason.js';

/** How a form ended, for the customer. */
export type Ending =
  | 'approved'
  | 'partlyApproved'
  | 'processing'
  | 'declined'
  | 'notProcessed'
  | 'cancelled'
  | 'expired'
  | 'unknown';

const CANCELLED_BY_CUSTOMER = 55;

const TECHNICAL: readonly DeclineReason[] = ['serviceFailed', 'verificationUnavailable'];

/** Undefined while the form waits for the customer. */
export function endingOf({
  status,
  resultCode,
  responseCode,
}: Pick<FormProgress, 'status' | 'resultCode' | 'responseCode'>): Ending | undefined {
  switch (status) {
    case 'Pending':
      return undefined;
    case 'Completed':
      if (responseCode === 1) return 'approved';
      if (responseCode === 2) return 'partlyApproved';
      // The issuer refused nothing: the payment never reached it, or was annulled.
      return TECHNICAL.includes(declineReason({ resultCode, responseCode })) ? 'notProcessed' : 'declined';
    case 'Cancelled':
      return resultCode === CANCELLED_BY_CUSTOMER ? 'cancelled' : 'notProcessed';
    case 'Processing':
      return 'processing';
    case 'Expired':
      return 'expired';
    case 'Interrupted':
      return 'unknown';
  }
}

/** `docs/spec/hosted-form.md#messages-to-the-parent-window`. */
export function messageTypeOf(
  progress: FormProgress,
): Exclude<FormMessage['type'], 'error' | 'resize'> | undefined {
  if (progress.status === 'Cancelled') return 'cancelled';
  switch (endingOf(progress)) {
    case undefined:
      return undefined;
    case 'approved':
    case 'partlyApproved':
    case 'processing':
      return 'completed';
    default:
      return 'failed';
  }
}
