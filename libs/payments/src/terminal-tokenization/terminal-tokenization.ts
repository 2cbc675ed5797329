import {
  requestToken,
  formatTokenId,
  tokenStream,
  type PaymentMethod,
  type AttemptPlan,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { Processors } from '@tillstream/processors';
import { planAttempt, startAttempt, type CardVerificationSender } from '../attempts/index.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { HolderRecords, ExistingHolder } from '../account-holders/holder-records.js';
import { requestIdentity } from '../identifiers.js';
import { noProcessor } from '../requests/new-payment.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { handleFailureBeforeStored, assumeReferenceUsed } from '../requests/request.failures.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause, sendRequest, writeRequest, type RequestParts } from '../requests/request.writer.js';
import type { StoreCardRequest, TokenResult } from '../stored-cards/stored-card.types.js';
import { writeThroughHolder } from '../read-model-write-through/write-through.js';
import {
  findTerminal,
  paymentMethodSnapshot,
  type TerminalParts,
  type TerminalRejection,
} from '../terminal-payments/terminals.js';
import type { Timings } from '../timings.js';
import { tokenDetails, type TokenDetailsReader } from '../stored-cards/token-details.js';

export interface TerminalTokenizationParts
  extends TerminalParts, Pick<RequestParts, 'idempotency' | 'clock' | 'crashPoints' | 'log'> {
  readonly holderRecords: HolderRecords;
  readonly verificationSender: CardVerificationSender;
  readonly processors: Processors;
  readonly facts: TokenDetailsReader;
  readonly timings: Timings;
  readonly readModels: ReadModelWriter;
}

/** Reads a card at a terminal, verifies it with its issuer for 0.00, and stores it as a token. */
export async function tokenizeAtTerminal(
  parts: TerminalTokenizationParts,
  context: RequestContext,
  request: StoreCardRequest,
): Promise<TokenResult> {
  const { merchant } = context;
  const start = startAttempt(parts, parts.timings.terminalDeadline);
  return handleFailureBeforeStored(parts, context, request, assumeReferenceUsed, async () => {
    const terminal = await findTerminal(parts, merchant, request.paymentMethodId);
    if ('code' in terminal && isCheckedBeforeHolder(terminal))
      return { kind: 'Rejected', rejection: terminal };
    const located =
      request.accountHolder &&
      (await parts.holderRecords.findByReference(merchant.id, request.accountHolder));
    if (request.accountHolder && !located) return { kind: 'Rejected', rejection: holderNotFound };
    if ('code' in terminal) return { kind: 'Rejected', rejection: terminal };

    const { currency } = terminal;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return { kind: 'Rejected', rejection: noProcessor };
    const { commandId, root } = requestIdentity(context.idempotency, parts.clock);
    const cause = requestCause(context, commandId);
    // The holder's stream names the token before the token exists, so that an erasure finds every token of the holder.
    const holder =
      request.accountHolder &&
      located &&
      (await parts.holderRecords.linkHolder(
        merchant.id,
        located,
        request.accountHolder,
        formatTokenId(root),
        commandId,
        cause,
      ));
    if (holder === 'Contended') return { kind: 'Contended' };
    if (holder === 'NotFound') return { kind: 'Rejected', rejection: holderNotFound };
    parts.crashPoints.reached('after-claim');
    const { startedAt } = start;
    const tryPlan = planAttempt(start, route);
    const prepared = { terminal, request, commandId, root, cause, tryPlan, startedAt, holder };
    const result = await verifyCard(parts, context, prepared);
    if (holder) await writeThroughHolder(parts.readModels, holder);
    return result;
  });
}

interface PreparedVerification {
  readonly terminal: PaymentMethod;
  readonly request: StoreCardRequest;
  readonly commandId: string;
  readonly root: string;
  readonly cause: Cause;
  readonly tryPlan: AttemptPlan;
  /** Monotonic, ms. */
  readonly startedAt: number;
  readonly holder?: ExistingHolder | undefined;
}

/** Appends the request, then sends it. */
async function verifyCard(
  parts: TerminalTokenizationParts,
  context: RequestContext,
  { terminal, request, commandId, root, cause, tryPlan, startedAt, holder }: PreparedVerification,
): Promise<TokenResult> {
  const { tokens } = parts;
  const { description, referenceId } = request;
  const command = {
    root,
    commandId,
    at: iso(parts.clock.now()),
    merchantId: context.merchant.id,
    channel: 'CardPresent',
    currency: terminal.currency,
    paymentMethod: paymentMethodSnapshot(terminal),
    terminalId: terminal.id,
    ...(description !== undefined && { description }),
    ...(referenceId !== undefined && { referenceId }),
    ...(holder && { accountHolderId: holder.state.id }),
    tryPlan,
  } as const;
  const newStream = tokens.emptyStream(tokenStream(root));
  const written = await writeRequest(tokens, parts, context, newStream, cause, (state) =>
    requestToken(state, command),
  );
  const toSend = { merchant: context.merchant, cause, startedAt };
  return sendRequest(parts, parts.verificationSender, written, toSend, ({ loaded, personal }, id) => {
    const { state } = loaded;
    const details = personal && state.status !== 'None' ? tokenDetails(state, personal) : undefined;
    return parts.facts.tokenResult(loaded, id, details);
  });
}

/**
 * A missing field or an unknown terminal wins over an unknown holder. A terminal that was found but is not usable does not
 * (`docs/spec/errors.md#which-answer-wins`).
 */
function isCheckedBeforeHolder({ code }: TerminalRejection): boolean {
  return code === 'PaymentMethodRequired' || code === 'PaymentMethodNotFound';
}

export const holderNotFound = {
  code: 'HolderNotFound',
  message: 'There is no such account holder.',
} as const;
