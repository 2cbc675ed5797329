import { Inject, Injectable } from '@nestjs/common';
import type { CrashPoints, IdempotencyTicket, OperationResult, RequestContext } from '@tillstream/payments';
import { contextOf } from '../access/caller.js';
import { CRASH_POINTS } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { fingerprintOf } from '../validation/idempotency.key.js';
import { requestBody } from '../validation/request.body.js';
import type { Dto } from '../validation/valid.body.js';
import { KeptAnswers, type Begun } from './kept.answers.js';
import { isStored, storedAnswer, unstoredError } from './operation.answer.js';

/** What every request for money goes through, in the order of `decisions.md` 2.2. */
@Injectable()
export class OperationEndpoint {
  constructor(
    private readonly kept: KeptAnswers,
    @Inject(CRASH_POINTS) private readonly crashPoints: CrashPoints,
  ) {}

  async answer<Body extends object>(
    request: ApiRequest,
    dto: Dto<Body>,
    execute: (context: RequestContext, body: Body) => Promise<OperationResult>,
  ): Promise<Answer> {
    const { body, bytes, key } = await requestBody(request, dto);
    const context = contextOf(request);
    if (key === undefined) return this.ended(request, await this.executed(request, context, body, execute));

    const begin = (): Promise<Begun> =>
      this.kept.begin(context.merchant.id, key, fingerprintOf(request, bytes));
    const begun = await begin();
    if (begun.kind !== 'New') return this.repeated(request, begun, key);
    const { ticket } = begun;
    const result = await this.executed(request, { ...context, idempotency: ticket }, body, execute);
    if (result.kind !== 'Refused') return this.ended(request, result, ticket);
    // Perhaps it is refused for what an equal request did since we looked: then that one's answer is ours too.
    const since = await begin();
    return since.kind === 'New' ? this.ended(request, result, ticket) : this.repeated(request, since, key);
  }

  private repeated(
    request: ApiRequest,
    begun: Exclude<Begun, { kind: 'New' }>,
    key: string,
  ): Answer | Promise<Answer> {
    if (begun.kind === 'FromHistory') return this.ended(request, begun.result, rememberable(begun, key));
    request.logged.replayed = true;
    return begun.answer;
  }

  private executed<Body>(
    request: ApiRequest,
    context: RequestContext,
    body: Body,
    execute: (context: RequestContext, body: Body) => Promise<OperationResult>,
  ): Promise<OperationResult> {
    request.mayHaveStored = true;
    return execute(context, body);
  }

  private async ended(
    request: ApiRequest,
    result: OperationResult,
    ticket?: Pick<IdempotencyTicket, 'key' | 'commandId'>,
  ): Promise<Answer> {
    if (!isStored(result)) throw unstoredError(result);
    request.logged.transactionId = result.operationId;
    const answer = storedAnswer(result, request.traceId);
    if (ticket) await this.kept.keep(contextOf(request).merchant.id, ticket, answer, request.traceId);
    this.crashPoints.reached('before-response');
    return answer;
  }
}

/** "Not known yet" out of history is no last word: once it is known, a repeat says so. */
function rememberable(
  { result, commandId }: Extract<Begun, { kind: 'FromHistory' }>,
  key: string,
): Pick<IdempotencyTicket, 'key' | 'commandId'> | undefined {
  return result.kind === 'Interrupted' ? undefined : { key, commandId };
}
