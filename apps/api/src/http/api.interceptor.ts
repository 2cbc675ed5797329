import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { errorMessage } from '@tillstream/runtime';
import { setActor } from '../access/operator.actor.js';
import { fingerprintOf, idempotencyKey } from '../idempotency/idempotency.key.js';
import { StoredResponses, stillRunning, type Lookup } from '../idempotency/stored.responses.js';
import { isStored, type RequestResult } from '../transactions/operation.errors.js';
import { OperationResponses } from '../transactions/operation.responses.js';
import { ApiError, invalidFields, notKnownWhetherStored } from './api.error.js';
import { isReading, type ApiRequest, type KeyedRequest } from './api.request.js';
import { endpointOf, type OperationOptions } from './endpoint.decorators.js';
import { JsonResponse } from './json.response.js';
import { readBody, ReceivedBody } from './received.body.js';
import { QUERY_NONE, queryParameters, ReceivedQuery } from './received.query.js';

type Run = () => Promise<unknown>;

/**
 * Receives each request to a controller with `StrictRequests`, and stores the response under its `Idempotency-Key`.
 *
 * Nest runs the guards, then this, then `RequestPipe`, then the controller's method. The errors of the body win over
 * those of the headers (`docs/spec/errors.md#which-answer-wins`): the key is looked up here, but an error of it is thrown
 * by `whenValid`, which the pipe calls after the validation. A replay needs no validation, for its body is the one that
 * was valid before.
 */
@Injectable()
export class ApiInterceptor implements NestInterceptor {
  constructor(
    private readonly stored: StoredResponses,
    private readonly operations: OperationResponses,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { isStrict, hasQuery, operation } = endpointOf(context);
    if (!isStrict) return next.handle();
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (isReading(request)) {
      receiveQuery(request, hasQuery);
      return next.handle();
    }
    return of(await this.write(request, operation, () => lastValueFrom(next.handle())));
  }

  private async write(
    request: ApiRequest,
    operation: OperationOptions | undefined,
    run: Run,
  ): Promise<unknown> {
    const bytes = await readBody(request);
    const queryErrors = queryParameters(request, QUERY_NONE).errors;
    const { key, error: keyError } = idempotencyKey(request);
    const headerError = keyError ?? setActor(request);
    let laterError: Error | undefined = headerError && invalidFields([headerError]);
    const owner = request.caller?.idempotencyOwner;
    if (key !== undefined && owner !== undefined && !laterError && queryErrors.length === 0) {
      const keyed: KeyedRequest = { owner, key, fingerprint: fingerprintOf(request, bytes) };
      request.keyed = keyed;
      try {
        const lookup = await this.stored.lookUp(keyed);
        if (lookup.kind !== 'New') return await this.repeat(request, keyed, lookup, operation);
        keyed.ticket = lookup.ticket;
      } catch (error) {
        laterError = error instanceof ApiError ? error : failedLookUp(error);
      }
    }
    request.body = new ReceivedBody(bytes, request.headers, queryErrors, async () => {
      if (laterError) throw laterError;
      if (!operation) await this.reserve(request);
      request.mayHaveStored = true;
    });
    return operation ? this.operation(request, operation, run) : this.change(request, run);
  }

  private async repeat(
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

  /** The ticket is in the context of the command: its reservation rides in the commit of the operation's request. */
  private async operation(request: ApiRequest, options: OperationOptions, run: Run): Promise<JsonResponse> {
    const result = (await run()) as RequestResult;
    const { keyed } = request;
    if (keyed?.ticket && !isStored(result)) {
      // An equal request may have stored its operation in the meantime. This one then has the same response.
      const lookup = await this.stored.lookUp(keyed);
      if (lookup.kind !== 'New') return this.repeat(request, keyed, lookup, options);
    }
    const response = await this.operations.response(request, result, options);
    if (keyed?.ticket) await this.stored.store(keyed.owner, keyed.ticket, response, request.traceId);
    this.operations.beforeResponse();
    return response;
  }

  /**
   * A change starts no operation. A rejected one frees its key. If it is not known whether it was stored, the key stays
   * reserved, and a later repeat runs under the same command, which does nothing a second time.
   */
  private async change(request: ApiRequest, run: Run): Promise<unknown> {
    let result: unknown;
    try {
      result = await run();
    } catch (error) {
      if (request.keyed?.isReserved && error instanceof ApiError && error.status === 'Rejected') {
        const { owner, ticket } = request.keyed;
        // An earlier run under this key may have stored what this one could not read.
        if (error.http === 500 && ticket?.earlierReservation) throw notKnownWhetherStored();
        if (ticket) await this.stored.release(owner, ticket);
      }
      throw error;
    }
    const { owner, ticket } = request.keyed ?? {};
    if (owner === undefined || !ticket) return result;
    const response = JsonResponse.ok(result as object);
    await this.stored.store(owner, ticket, response, request.traceId);
    return response;
  }

  private async reserve({ keyed }: ApiRequest): Promise<void> {
    if (!keyed?.ticket) return;
    await this.stored.reserve(keyed.owner, keyed.ticket);
    keyed.isReserved = true;
  }
}

/** A method without `@Query()` takes no parameters. */
function receiveQuery(request: ApiRequest, hasQuery: boolean): void {
  if (hasQuery) {
    const merchantId = request.caller && 'merchant' in request.caller ? request.caller.merchant.id : '';
    const id = Object.values(request.params).join(' ');
    // Express computes `query` from the URL by a getter of its prototype.
    Object.defineProperty(request, 'query', { value: new ReceivedQuery(request, merchantId, id) });
    return;
  }
  const { errors } = queryParameters(request, QUERY_NONE);
  if (errors.length > 0) throw invalidFields(errors);
}

/** Hides the kind of the error: after it nothing may say that no earlier request stored anything. */
function failedLookUp(cause: unknown): Error {
  const reason = errorMessage(cause);
  return new Error(`the Idempotency-Key could not be looked up: ${reason}`, { cause });
}
