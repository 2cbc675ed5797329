import {
  requestToken,
  formatTokenId,
  tokenStream,
  type PaymentMethod,
  type TokenPersonal,
  type TokenState,
  type AttemptPlan,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { Processors } from '@tillstream/processors';
import { planAttempt, startAttempt, type CardVerificationSender } from '../attempts/index.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { HolderRecords, ExistingHolder } from '../account-holders/holder-records.js';
import { requestIdentity } from '../identifiers.js';
import { noProcessor } from '../terminal-payments/terminal-payments.js';
import type { ReadModelWriter } from '../read-model-write-through/read-model-writer.port.js';
import { handleFailureBeforeStored, assumeReferenceUsed } from '../requests/request.failures.js';
import type { RequestContext } from '../requests/request.types.js';
import { requestCause, sendRequest, writeRequest, type RequestParts } from '../requests/request.writer.js';
import type { StoreCardRequest, TokenDetails, TokenResult } from '../stored-cards/stored-card.types.js';
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

/** A terminal takes a card, its issuer is asked about it for 0.00, and it is kept. */
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
    // The holder names the token first: an erasure finds every token that is or will be the holder's.
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
    const begun = {
      commandId,
      root,
      cause,
      tryPlan: planAttempt(start, route),
      startedAt: start.startedAt,
      holder,
    };
    const result = await verifyCard(parts, context, terminal, request, begun);
    if (holder) await writeThroughHolder(parts.readModels, holder);
    return result;
  });
}

/** Writes the request down, sends it, and answers what came of it. */
async function verifyCard(
  parts: TerminalTokenizationParts,
  context: RequestContext,
  terminal: PaymentMethod,
  { description, referenceId }: StoreCardRequest,
  begun: {
    readonly commandId: string;
    readonly root: string;
    readonly cause: Cause;
    readonly tryPlan: AttemptPlan;
    readonly startedAt: number;
    readonly holder?: ExistingHolder | undefined;
  },
): Promise<TokenResult> {
  const { commandId, root, cause, tryPlan, startedAt, holder } = begun;
  const { tokens } = parts;
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
  const fresh = tokens.emptyStream(tokenStream(root));
  const written = await writeRequest(tokens, parts, context, fresh, cause, (state) =>
    requestToken(state, command),
  );
  const request = { merchant: context.merchant, cause, startedAt };
  return sendRequest(parts, parts.verificationSender, written, request, ({ loaded, personal }, id) =>
    parts.facts.tokenResult(loaded, id, shownFacts(loaded.state, personal)),
  );
}

function shownFacts(state: TokenState, personal: TokenPersonal | undefined): TokenDetails | undefined {
  return personal && state.status !== 'None' ? tokenDetails(state, personal) : undefined;
}

/**
 * Before the holder is looked for (`docs/spec/errors.md#which-answer-wins`): fields and 404s, not the 400s of a method
 * that was found.
 */
function isCheckedBeforeHolder({ code }: TerminalRejection): boolean {
  return code === 'PaymentMethodRequired' || code === 'PaymentMethodNotFound';
}

export const holderNotFound = {
  code: 'HolderNotFound',
  message: 'There is no such account holder.',
} as const;
