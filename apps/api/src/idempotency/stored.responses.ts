import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { IdempotencyTicket, Payments } from '@tillstream/payments';
import type { ResponseSealer, Log } from '@tillstream/platform';
import { errorMessage } from '@tillstream/runtime';
import { LOG, PAYMENTS, SEALER } from '../api.parts.js';
import { ApiError, conflict, invalidFields, notKnownWhetherStored } from '../http/api.error.js';
import type { KeyedRequest } from '../http/api.request.js';
import { JsonResponse } from '../http/json.response.js';
import type { RequestResult } from '../transactions/operation.errors.js';
import { IDEMPOTENCY_KEY, keyError } from './idempotency.key.js';

export type Lookup =
  /** Go on under this ticket. */
  | { readonly kind: 'New'; readonly ticket: IdempotencyTicket }
  /** The first response, to be sent again. */
  | { readonly kind: 'Replay'; readonly response: JsonResponse }
  /** An earlier run started the operation and stored no response: the operation's result, and its command. */
  | { readonly kind: 'FromHistory'; readonly result: RequestResult; readonly commandId: string };

interface Stored {
  readonly status: number;
  readonly body: string;
  readonly traceId: string;
}

/**
 * Responses stored under an `Idempotency-Key`: encrypted, and sent again byte for byte
 * (`docs/spec/idempotency.md#idempotency-key`). `owner`: whose key it is.
 */
@Injectable()
export class StoredResponses {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(SEALER) private readonly sealer: ResponseSealer,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws ApiError where the key belongs to another request, or to one that is running or can't be read */
  async lookUp({ owner, key, fingerprint }: KeyedRequest): Promise<Lookup> {
    const start = await this.payments.idempotency.start(owner, key, fingerprint);
    switch (start.kind) {
      case 'New':
      case 'FromHistory':
        return start;
      case 'Unseen':
        throw notKnownWhetherStored(start);
      case 'Replay':
        return { kind: 'Replay', response: this.opened(start.answer, owner, key) };
      case 'Running':
        throw stillRunning();
      case 'Mismatch': {
        const message = `This ${IDEMPOTENCY_KEY} was used with another method, path or body.`;
        const details = 'received the key of another request, allowed a new key, or the very same request';
        throw invalidFields([keyError(message, details)]);
      }
    }
  }

  /** Reserves the key of a request that starts no operation. @throws ApiError 409 where another request has it */
  async reserve(owner: string, ticket: IdempotencyTicket): Promise<void> {
    if (!(await this.payments.idempotency.reserve(owner, ticket))) throw stillRunning();
  }

  release(owner: string, ticket: IdempotencyTicket): Promise<void> {
    return this.payments.idempotency.release(owner, ticket);
  }

  /** Never rejects: without the stored response a repeat is answered from the history. */
  async store(
    owner: string,
    ticket: Pick<IdempotencyTicket, 'key' | 'commandId'>,
    response: JsonResponse,
    traceId: string,
  ): Promise<void> {
    const stored: Stored = { status: response.status, body: response.body, traceId };
    try {
      const sealed = this.sealer.seal(JSON.stringify(stored), boundTo(owner, ticket.key));
      await this.payments.idempotency.storeResponse(owner, ticket, sealed);
    } catch (error) {
      this.log.error('response-not-stored', {
        traceId,
        error: errorMessage(error),
      });
    }
  }

  private opened(sealed: Uint8Array, owner: string, key: string): JsonResponse {
    const text = this.sealer.open(sealed, boundTo(owner, key));
    if (text === undefined) {
      const reason = 'was IDEMPOTENCY_ANSWER_KEY changed?';
      this.log.error('stored-response-not-opened', { merchantId: owner, reason });
      const message = 'The first answer can not be given again; look the transaction up.';
      throw new ApiError(500, ErrorCode.UnhandledGenericError, message, { status: 'Unknown' });
    }
    const { status, body, traceId } = JSON.parse(text) as Stored;
    return new JsonResponse(status, body, { 'x-trace-id': traceId, 'idempotent-replayed': 'true' });
  }
}

export const stillRunning = (): ApiError =>
  conflict('The first request with this Idempotency-Key is still running.');

const boundTo = (owner: string, key: string): string => `${owner}\n${key}`;
