import { Inject, Injectable } from '@nestjs/common';
import type { CrashPoints } from '@tillstream/payments';
import { transactionJson } from '@tillstream/presentation';
import { CRASH_POINTS } from '../api.parts.js';
import { envelope } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import type { OperationOptions } from '../http/endpoint.decorators.js';
import { JsonResponse } from '../http/json.response.js';
import { ReceivedBody } from '../http/received.body.js';
import { isStored, noOutcomeError, unstoredError, type RequestResult } from './operation.errors.js';
import { TransactionResults } from './transaction.results.js';

/** The HTTP responses to requests for operations. */
@Injectable()
export class OperationResponses {
  constructor(
    private readonly results: TransactionResults,
    @Inject(CRASH_POINTS) private readonly crashPoints: CrashPoints,
  ) {}

  /** @throws ApiError where nothing was stored */
  async response(
    request: ApiRequest,
    result: RequestResult,
    { ofPath = [] }: OperationOptions,
  ): Promise<JsonResponse> {
    if (!isStored(result)) throw unstoredError(result, { ofPath, isByReference: isByReference(request) });
    request.logged.transactionId = result.operationId;
    if (result.kind !== 'Answered') return envelope(noOutcomeError(result), request.traceId);
    return new JsonResponse(200, transactionJson(await this.results.answered(result)));
  }

  /** For tests that stop the process here. */
  beforeResponse(): void {
    this.crashPoints.reached('before-response');
  }
}

function isByReference({ body }: ApiRequest): boolean {
  const received: unknown = body;
  return received instanceof ReceivedBody && 'originalReferenceId' in received.dto;
}
