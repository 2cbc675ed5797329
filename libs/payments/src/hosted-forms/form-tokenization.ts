import {
  formatOperationId,
  formatTokenId,
  rejected,
  requestToken,
  tokenStream,
  type RequestToken,
} from '@tillstream/domain';
import { requestIdentity } from '../identifiers.js';
import type { Parts } from '../parts.js';
import { paymentMethodSnapshot, TOKEN_FORM } from '../payment-methods/payment-method.finder.js';
import { iso } from '../ports/clock.port.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { noProcessor } from '../requests/new-payment.js';
import { handleFailureBeforeStored, unclaimedReference } from '../requests/request.failures.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause, sendRequest, writeRequest } from '../requests/request.writer.js';
import type { TokenResult } from '../stored-cards/stored-card.types.js';
import { formChannel } from './form.channel.js';
import { resolveFormRequest } from './form.request.js';
import { newForm } from './form.settings.js';
import type { VirtualTokenRequest } from './hosted-form.types.js';

/**
 * Opens a form that stores a card or an ACH bank account. Each submission verifies the card with its issuer for 0.00. A bank
 * account is stored at once, without a processor (`docs/spec/payment-methods.md#create-a-token`).
 */
export async function openTokenForm(
  parts: Parts,
  context: RequestContext,
  request: VirtualTokenRequest,
): Promise<TokenResult> {
  const { merchant } = context;
  const { description, referenceId } = request;
  const startedAt = parts.clock.monotonicNow();
  return handleFailureBeforeStored(parts, context, unclaimedReference(referenceId), async () => {
    const resolved = await resolveFormRequest(parts, merchant, TOKEN_FORM, request);
    if (resolved.kind !== 'Found') return resolved;
    const { method, named } = resolved;
    const { commandId, root } = requestIdentity(context.idempotency, parts.clock);
    const operationId = formatOperationId({ category: 'token', root, number: 0 });
    const form = newForm(parts, operationId, method, request);
    if ('code' in form) return rejected(form);
    const { currency } = method;
    const channel = formChannel(method.type);
    if (!parts.processors.route({ merchantId: merchant.id, channel, currency })) return rejected(noProcessor);
    const cause = requestCause(context, commandId);
    const linked = await parts.holderRecords.linkToken(named, formatTokenId(root), cause);
    if (linked.kind !== 'Linked') return linked;
    const { holder } = linked;
    const token: RequestToken = {
      root,
      commandId,
      at: iso(parts.clock.now()),
      merchantId: merchant.id,
      channel,
      currency,
      paymentMethod: paymentMethodSnapshot(method),
      ...(description !== undefined && { description }),
      ...(referenceId !== undefined && { referenceId }),
      ...(holder && { accountHolderId: holder.state.id }),
      form,
    };
    const toWrite = { context, known: parts.tokens.emptyStream(tokenStream(root)), cause };
    const written = await writeRequest(parts, parts.tokens, toWrite, (state) => requestToken(state, token));
    const result = await sendRequest(
      parts,
      written,
      { merchant, cause, startedAt },
      {
        sender: parts.verificationSender,
        toResult: ({ loaded }, id) => parts.tokenDetails.tokenResult(loaded, id),
      },
    );
    if (holder) await writeThrough(parts.readModels, holder);
    return result;
  });
}
