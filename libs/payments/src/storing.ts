import {
  requestToken,
  formatTokenId,
  tokenStream,
  type PaymentMethod,
  type TokenPersonal,
  type TokenState,
  type AttemptPlan,
} from '@tillstream/domain';
import { iso } from './clock.port.js';
import type { Processors } from '@tillstream/processors';
import { planOf, startAttempt, type VerificationSender } from './attempts/index.js';
import type { Cause } from './event-metadata.js';
import type { Holders, KnownHolder } from './holders.js';
import { identityOf } from './identities.js';
import { noProcessor } from './opening.js';
import type { ReadModelWriter } from './read-model.port.js';
import { orNotStored, withoutClaims } from './request.failures.js';
import type { RequestContext } from './request.types.js';
import { causeOf, sendWritten, writeRequest, type RequestParts } from './requesting.js';
import type { StoreCardRequest, TokenFacts, TokenResult } from './stored-card.types.js';
import { tellOfHolder } from './telling.js';
import { resolveTerminal, snapshotOf, type TerminalParts, type TerminalRefusal } from './terminals.js';
import type { Timings } from './timings.js';
import { factsOf, type TokenFactsReader } from './token.facts.js';

export interface StoringParts
  extends TerminalParts, Pick<RequestParts, 'idempotency' | 'clock' | 'crashPoints' | 'log'> {
  readonly known: Holders;
  readonly verificationSender: VerificationSender;
  readonly processors: Processors;
  readonly facts: TokenFactsReader;
  readonly timings: Timings;
  readonly readModels: ReadModelWriter;
}

/** A terminal takes a card, its issuer is asked about it for 0.00, and it is kept. */
export async function storeFromTerminal(
  parts: StoringParts,
  context: RequestContext,
  request: StoreCardRequest,
): Promise<TokenResult> {
  const { merchant } = context;
  const start = startAttempt(parts, parts.timings.terminalDeadline);
  return orNotStored(parts, context, request, withoutClaims, async () => {
    const terminal = await resolveTerminal(parts, merchant, request.paymentMethodId);
    if ('code' in terminal && comesFirst(terminal)) return { kind: 'Refused', refusal: terminal };
    const located = request.accountHolder && (await parts.known.locate(merchant.id, request.accountHolder));
    if (request.accountHolder && !located) return { kind: 'Refused', refusal: holderNotFound };
    if ('code' in terminal) return { kind: 'Refused', refusal: terminal };

    const { currency } = terminal;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return { kind: 'Refused', refusal: noProcessor };
    const { commandId, root } = identityOf(context.idempotency, parts.clock);
    const cause = causeOf(context, commandId);
    // The holder names the token first: an erasure finds every token that is or will be the holder's.
    const holder =
      request.accountHolder &&
      located &&
      (await parts.known.linked(
        merchant.id,
        located,
        request.accountHolder,
        formatTokenId(root),
        commandId,
        cause,
      ));
    if (holder === 'Contended') return { kind: 'Contended' };
    if (holder === 'NotFound') return { kind: 'Refused', refusal: holderNotFound };
    parts.crashPoints.reached('after-claim');
    const begun = {
      commandId,
      root,
      cause,
      tryPlan: planOf(start, route),
      startedAt: start.startedAt,
      holder,
    };
    const result = await verified(parts, context, terminal, request, begun);
    if (holder) await tellOfHolder(parts.readModels, holder);
    return result;
  });
}

/** Writes the request down, sends it, and answers what came of it. */
async function verified(
  parts: StoringParts,
  context: RequestContext,
  terminal: PaymentMethod,
  { description, referenceId }: StoreCardRequest,
  begun: {
    readonly commandId: string;
    readonly root: string;
    readonly cause: Cause;
    readonly tryPlan: AttemptPlan;
    readonly startedAt: number;
    readonly holder?: KnownHolder | undefined;
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
    paymentMethod: snapshotOf(terminal),
    terminalId: terminal.id,
    ...(description !== undefined && { description }),
    ...(referenceId !== undefined && { referenceId }),
    ...(holder && { accountHolderId: holder.state.id }),
    tryPlan,
  } as const;
  const fresh = tokens.fresh(tokenStream(root));
  const written = await writeRequest(tokens, parts, context, fresh, cause, (state) =>
    requestToken(state, command),
  );
  const request = { merchant: context.merchant, cause, startedAt };
  return sendWritten(parts, parts.verificationSender, written, request, ({ loaded, personal }, id) =>
    parts.facts.result(loaded, id, shownFacts(loaded.state, personal)),
  );
}

function shownFacts(state: TokenState, personal: TokenPersonal | undefined): TokenFacts | undefined {
  return personal && state.status !== 'None' ? factsOf(state, personal) : undefined;
}

/**
 * Before the holder is looked for (`docs/spec/errors.md#which-answer-wins`): fields and 404s, not the 400s of a method
 * that was found.
 */
function comesFirst({ code }: TerminalRefusal): boolean {
  return code === 'PaymentMethodRequired' || code === 'PaymentMethodNotFound';
}

export const holderNotFound = {
  code: 'HolderNotFound',
  message: 'There is no such account holder.',
} as const;
