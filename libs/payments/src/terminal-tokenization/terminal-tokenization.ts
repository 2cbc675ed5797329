import { requestToken, formatTokenId, tokenStream, type RequestToken, rejected } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { requestIdentity } from '../identifiers.js';
import { noProcessor } from '../requests/new-payment.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { handleFailureBeforeStored, unclaimedReference } from '../requests/request.failures.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause, sendRequest, writeRequest, type RequestToSend } from '../requests/request.writer.js';
import type { StoreCardRequest, TokenResult } from '../stored-cards/stored-card.types.js';
import {
  findPaymentMethod,
  isCheckedBeforeHolder,
  paymentMethodSnapshot,
  TERMINAL,
} from '../payment-methods/payment-method.finder.js';
import { tokenDetails } from '../stored-cards/token-details.js';
import { startAttempt, planAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';
import { isStored } from '../stream-repository/repositories.js';
import { noSuchHolder } from '../account-holders/holder-records.js';

/** Reads a card at a terminal, verifies it with its issuer for 0.00, and stores it as a token. */
export async function tokenizeAtTerminal(
  parts: Parts,
  context: RequestContext,
  request: StoreCardRequest,
): Promise<TokenResult> {
  const { merchant } = context;
  const start = startAttempt(parts, parts.timings.terminalDeadline);
  return handleFailureBeforeStored(parts, context, unclaimedReference(request.referenceId), async () => {
    const { accountHolder } = request;
    const terminal = await findPaymentMethod(parts, merchant, TERMINAL, request.paymentMethodId);
    if ('code' in terminal && isCheckedBeforeHolder(terminal)) return rejected(terminal);
    const named = accountHolder && (await parts.holderRecords.findByReference(merchant.id, accountHolder));
    if (accountHolder && !named) return noSuchHolder;
    if ('code' in terminal) return rejected(terminal);

    const { currency } = terminal;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return rejected(noProcessor);
    const { commandId, root } = requestIdentity(context.idempotency, parts.clock);
    const cause = requestCause(context, commandId);
    const linked = await parts.holderRecords.linkToken(named, formatTokenId(root), cause);
    if (linked.kind !== 'Linked') return linked;
    const { holder } = linked;
    const { description, referenceId } = request;
    const token = {
      root,
      commandId,
      at: iso(parts.clock.now()),
      merchantId: merchant.id,
      channel: 'CardPresent',
      currency,
      paymentMethod: paymentMethodSnapshot(terminal),
      terminalId: terminal.id,
      ...(description !== undefined && { description }),
      ...(referenceId !== undefined && { referenceId }),
      ...(holder && { accountHolderId: holder.state.id }),
      attemptPlan: planAttempt(start, route),
    } as const;
    const result = await verifyCard(parts, context, token, { merchant, cause, startedAt: start.startedAt });
    if (holder) await writeThrough(parts.readModels, holder);
    return result;
  });
}

/** Appends the request, then sends it. */
async function verifyCard(
  parts: Parts,
  context: RequestContext,
  token: RequestToken,
  request: RequestToSend,
): Promise<TokenResult> {
  const { tokens, tokenDetails: details, verificationSender: sender } = parts;
  const toWrite = { context, known: tokens.emptyStream(tokenStream(token.root)), cause: request.cause };
  const written = await writeRequest(parts, tokens, toWrite, (state) => requestToken(state, token));
  return sendRequest(parts, written, request, {
    sender,
    toResult: ({ loaded, personal }, id) =>
      details.tokenResult(
        loaded,
        id,
        personal && isStored(loaded) ? tokenDetails(loaded.state, personal) : undefined,
      ),
  });
}
