import { capture, refund, rejected, voidOperation, type OperationKind } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { requestIdentity } from '../identifiers.js';
import { findOwnOperation, type Original } from '../references/references.js';
import { findOwnTokenOperation } from '../stored-cards/token-details.js';
import { handleFailureBeforeStored, claimedReference } from '../requests/request.failures.js';
import type {
  FollowUpInput,
  OperationResult,
  RequestContext,
  RequestRejection,
} from '../requests/request.types.js';
import { requestCause, sendPaymentRequest, writeRequest } from '../requests/request.writer.js';
import { startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';

/** `originals`: the kinds of operation that an `originalReferenceId` can name. */
export const followUps = {
  capture: { decide: capture, originals: ['Auth'] },
  refund: { decide: refund, originals: ['Sale', 'Capture'] },
  void: { decide: voidOperation, originals: ['Sale', 'Auth', 'Capture'] },
} as const;

/** Runs a capture, refund or void, which is an operation in the stream of its original. */
export async function runFollowUp(
  parts: Parts,
  { decide, originals }: (typeof followUps)[keyof typeof followUps],
  context: RequestContext,
  request: FollowUpInput,
): Promise<OperationResult> {
  const { merchant } = context;
  const start = startAttempt(parts);
  const reference = claimedReference(parts, context, request.referenceId);
  return handleFailureBeforeStored(parts, context, reference, async () => {
    const found = await findOriginal(parts, merchant.id, request, originals);
    if ('rejection' in found) return rejected(found.rejection);

    const { commandId } = requestIdentity(context.idempotency, parts.clock);
    const cause = requestCause(context, commandId);
    const { originalTransactionId: _id, originalReferenceId: _reference, ...fields } = request;
    const command = {
      ...fields,
      at: iso(parts.clock.now()),
      commandId,
      originalOperationId: found.operation.id,
      sendWindow: start.window,
    };

    if (request.referenceId !== undefined) {
      // Decides before the claim, so that a rejected request leaves no claim.
      const decision = decide(found.payment.state, command);
      if (decision.kind === 'Rejected') return decision;
      const claim = { stream: found.payment.stream, commandId };
      await parts.references.claim(request.referenceId, claim, cause);
    }
    parts.crashPoints.reached('after-claim');
    const toWrite = { context, known: found.payment, cause };
    const written = await writeRequest(parts, parts.payments, toWrite, (state) => decide(state, command));
    return sendPaymentRequest(parts, written, { merchant, cause, startedAt: start.startedAt });
  });
}

async function findOriginal(
  { payments, references, tokens }: Pick<Parts, 'payments' | 'references' | 'tokens'>,
  merchantId: string,
  request: FollowUpInput,
  originals: readonly OperationKind[],
): Promise<Original | { readonly rejection: RequestRejection }> {
  if (request.originalTransactionId !== undefined) {
    const own = await findOwnOperation(payments, merchantId, request.originalTransactionId);
    if (own) return own;
    const ofToken = await findOwnTokenOperation(tokens, merchantId, request.originalTransactionId);
    return { rejection: ofToken ? noMoneyInIt : notFound };
  }
  const found = await references.find(merchantId, request.originalReferenceId ?? '', originals);
  if (found === 'None') return { rejection: referenceNotFound };
  return found === 'Several' ? { rejection: referenceAmbiguous } : found;
}

const noMoneyInIt = {
  code: 'WrongOriginalType',
  message: 'An operation on a stored card moves no money: nothing of it can be captured, refunded or voided.',
} as const;
const notFound = { code: 'OriginalNotFound', message: 'There is no such transaction.' } as const;
const referenceNotFound = {
  code: 'OriginalReferenceNotFound',
  message: 'No transaction with this reference can be the original.',
} as const;
const referenceAmbiguous = {
  code: 'OriginalReferenceAmbiguous',
  message: 'Several transactions have this reference: use originalTransactionId.',
} as const;
