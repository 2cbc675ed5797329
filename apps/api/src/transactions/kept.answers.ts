import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { IdempotencyTicket, Payments } from '@tillstream/payments';
import type { ResponseSealer, Log } from '@tillstream/platform';
import { idempotencyOwnerOf } from '../access/caller.js';
import { LOG, PAYMENTS, SEALER } from '../api.parts.js';
import { Answer } from '../http/answer.js';
import { ApiError, invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { fingerprintOf, IDEMPOTENCY_KEY, keyError } from '../validation/idempotency.key.js';
import type { RequestBody } from '../validation/request.body.js';
import { conflict, notKnownWhetherStored, type RequestResult } from './operation.answer.js';

export type Begun =
  /** Go on under this ticket. */
  | { readonly kind: 'New'; readonly ticket: IdempotencyTicket }
  /** The first answer, again. */
  | { readonly kind: 'Replay'; readonly answer: Answer }
  /** Begun by an earlier run: its result, to be kept under its command. */
  | { readonly kind: 'FromHistory'; readonly result: RequestResult; readonly commandId: string };

interface Kept {
  readonly status: number;
  readonly body: string;
  readonly traceId: string;
}

/**
 * Answers under an `Idempotency-Key`: sealed, and given again byte for byte
 * (`docs/spec/idempotency.md#idempotency-key`).
 */
@Injectable()
export class KeptAnswers {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(SEALER) private readonly sealer: ResponseSealer,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async begin(merchantId: string, key: string, fingerprint: string): Promise<Begun> {
    const start = await this.payments.idempotency.start(merchantId, key, fingerprint);
    switch (start.kind) {
      case 'New':
      case 'FromHistory':
        return start;
      case 'Unseen':
        throw notKnownWhetherStored(start);
      case 'Replay':
        return { kind: 'Replay', answer: this.opened(start.answer, merchantId, key) };
      case 'Running':
        throw conflict(RUNNING);
      case 'Mismatch': {
        const message = `This ${IDEMPOTENCY_KEY} was used with another method, path or body.`;
        const details = 'received the key of another request, allowed a new key, or the very same request';
        throw invalidFields([keyError(message, details)]);
      }
    }
  }

  /**
   * A request that begins no operation, done once for a key of its caller. What is refused is not kept. Where it is not
   * known what happened the key stays reserved, and a repeat later runs under the same command: `run` is given it, to do
   * nothing a second time.
   */
  async once(
    request: ApiRequest,
    body: RequestBody<unknown>,
    run: (commandId?: string) => Promise<object>,
  ): Promise<Answer> {
    const { key, bytes } = body;
    const done = async (commandId?: string): Promise<Answer> => {
      request.mayHaveStored = true;
      return Answer.ok(await run(commandId));
    };
    if (key === undefined) return done();
    const owner = idempotencyOwnerOf(request);
    const begun = await this.begin(owner, key, fingerprintOf(request, bytes));
    if (begun.kind === 'Replay') {
      request.logged.replayed = true;
      return begun.answer;
    }
    if (begun.kind !== 'New') throw conflict(RUNNING);
    const { ticket } = begun;
    request.isFirstOfItsKey = ticket.earlierReservation === undefined;
    if (!(await this.payments.idempotency.reserve(owner, ticket))) throw conflict(RUNNING);
    let answer: Answer;
    try {
      answer = await done(ticket.commandId);
    } catch (error) {
      const isRejected = error instanceof ApiError && error.status === 'Rejected';
      // An earlier run under this key may have stored what this one could not look at.
      if (isRejected && error.http === 500 && ticket.earlierReservation) throw notKnownWhetherStored();
      if (isRejected) await this.payments.idempotency.release(owner, ticket);
      throw error;
    }
    await this.keep(owner, ticket, answer, request.traceId);
    return answer;
  }

  /** A failure costs the exact bytes of a later replay, which history then answers; never the answer of this request. */
  async keep(
    merchantId: string,
    ticket: { readonly key: string; readonly commandId: string },
    answer: Answer,
    traceId: string,
  ): Promise<void> {
    const kept: Kept = { status: answer.status, body: answer.body, traceId };
    try {
      const sealed = this.sealer.seal(JSON.stringify(kept), boundTo(merchantId, ticket.key));
      await this.payments.idempotency.storeResponse(merchantId, ticket, sealed);
    } catch (error) {
      this.log.error('answer-not-kept', {
        traceId,
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  private opened(sealed: Uint8Array, merchantId: string, key: string): Answer {
    const text = this.sealer.open(sealed, boundTo(merchantId, key));
    if (text === undefined) {
      this.log.error('kept-answer-not-opened', { merchantId, reason: 'was IDEMPOTENCY_ANSWER_KEY changed?' });
      const message = 'The first answer can not be given again; look the transaction up.';
      throw new ApiError(500, ErrorCode.UnhandledGenericError, message, { status: 'Unknown' });
    }
    const { status, body, traceId } = JSON.parse(text) as Kept;
    return new Answer(status, body, { 'x-trace-id': traceId, 'idempotent-replayed': 'true' });
  }
}

const RUNNING = 'The first request with this Idempotency-Key is still running.';

const boundTo = (merchantId: string, key: string): string => `${merchantId}\n${key}`;
