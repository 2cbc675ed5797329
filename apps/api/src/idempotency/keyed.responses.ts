import { Injectable } from '@nestjs/common';
import { ApiError, notKnownWhetherStored } from '../http/api.error.js';
import type { ApiRequest, KeyedRequest, Responder } from '../http/api.request.js';
import type { OperationOptions } from '../http/endpoint.decorators.js';
import { JsonResponse } from '../http/json.response.js';
import { isStored, type RequestResult } from '../transactions/operation.errors.js';
import { OperationResponses } from '../transactions/operation.responses.js';
import { StoredResponses, stillRunning, type Lookup } from './stored.responses.js';

/** The responses of writing requests. Stores each under the `Idempotency-Key` of its request, if it has one. */
@Injectable()
export class KeyedResponses {
  constructor(
    private readonly stored: StoredResponses,
    private readonly operations: OperationResponses,
  ) {}

  responder(request: ApiRequest, operation: OperationOptions | undefined): Responder {
    return {
      ofResult: (result) =>
        operation
          ? this.ofOperation(request, result as RequestResult, operation)
          : this.ofChange(request, result),
      ofError: (error) => this.afterError(request, error),
    };
  }

  /** Of a request whose key is not free. @throws ApiError 409 while the first change with the key is running */
  async ofRepeat(
    request: ApiRequest,
    { owner, key }: KeyedRequest,
    lookup: Exclude<Lookup, { kind: 'New' }>,
    operation: OperationOptions | undefined,
  ): Promise<JsonResponse> {
    if (lookup.kind === 'Replay') {
      request.logged.replayed = true;
      return lookup.response;
    }
    if (!operation) throw stillRunning();
    const { result, commandId } = lookup;
    const response = await this.operations.response(request, result, operation);
    // An outcome that is still unknown is not stored: once it is known, a repeat gets it.
    if (result.kind !== 'Interrupted') {
      await this.stored.store(owner, { key, commandId }, response, request.traceId);
    }
    this.operations.beforeResponse();
    return response;
  }

  /** The ticket is in the context of the command: its reservation is written in the commit of the operation's request. */
  private async ofOperation(
    request: ApiRequest,
    result: RequestResult,
    options: OperationOptions,
  ): Promise<JsonResponse> {
    const { keyed } = request;
    if (keyed?.ticket && !isStored(result)) {
      // An equal request may have stored its operation in the meantime. This one then has the same response.
      const lookup = await this.stored.lookUp(keyed);
      if (lookup.kind !== 'New') return this.ofRepeat(request, keyed, lookup, options);
    }
    const response = await this.operations.response(request, result, options);
    if (keyed?.ticket) await this.stored.store(keyed.owner, keyed.ticket, response, request.traceId);
    this.operations.beforeResponse();
    return response;
  }

  /** A change starts no operation. */
  private async ofChange(request: ApiRequest, result: object): Promise<JsonResponse> {
    const response = JsonResponse.ok(result);
    const { owner, ticket } = request.keyed ?? {};
    if (owner !== undefined && ticket) await this.stored.store(owner, ticket, response, request.traceId);
    return response;
  }

  /**
   * Frees the key of a rejected change. If it is not known whether the change was stored, its key stays reserved, and a later
   * repeat runs under the same command, which does nothing a second time.
   *
   * @returns the error to send
   */
  private async afterError({ keyed }: ApiRequest, error: unknown): Promise<unknown> {
    if (!keyed?.isReserved || !(error instanceof ApiError) || error.status !== 'Rejected') return error;
    const { owner, ticket } = keyed;
    // An earlier run under this key may have stored what this one could not read.
    if (error.http === 500 && ticket?.earlierReservation) return notKnownWhetherStored();
    try {
      if (ticket) await this.stored.release(owner, ticket);
      return error;
    } catch (failure) {
      return failure;
    }
  }
}
