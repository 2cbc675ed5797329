import { Inject, Injectable } from '@nestjs/common';
import type { CrashPoints, IdempotencyTicket, RequestContext } from '@tillstream/payments';
import { transactionJson } from '@tillstream/presentation';
import { contextOf } from '../access/caller.js';
import { CRASH_POINTS } from '../api.parts.js';
import { Answer } from '../http/answer.js';
import type { ApiRequest } from '../http/api.request.js';
import { fingerprintOf } from '../validation/idempotency.key.js';
import { requestBody, type BodyRules } from '../validation/request.body.js';
import type { Dto } from '../validation/valid.body.js';
import { KeptAnswers, type Begun } from './kept.answers.js';
import { isStored, unstoredError, withoutOutcome, type RequestResult } from './operation.answer.js';
import type { Naming } from './refusal.answer.js';
import { ShownTransactions } from './shown.transactions.js';

type Execute<Body> = (context: RequestContext, body: Body) => Promise<RequestResult>;

export interface OperationRules<Body> extends BodyRules<Body>, Pick<Naming, 'ofPath'> {}

/** What every request for an operation goes through, in the order of `docs/spec/errors.md#which-answer-wins`. */
@Injectable()
export class OperationEndpoint {
  constructor(
    private readonly kept: KeptAnswers,
    private readonly shown: ShownTransactions,
    @Inject(CRASH_POINTS) private readonly crashPoints: CrashPoints,
  ) {}

  async answer<Body extends object>(
    request: ApiRequest,
    dto: Dto<Body>,
    execute: Execute<Body>,
    rules: OperationRules<Body> = {},
  ): Promise<Answer> {
    const { body, bytes, key } = await requestBody(request, dto, rules);
    const context = contextOf(request);
    const naming = (): Naming => ({ ofPath: rules.ofPath, isByReference: isByReference(body) });
    request.namesReference = 'referenceId' in body && body.referenceId !== undefined;
    if (key === undefined)
      return this.ended(request, await this.executed(request, context, body, execute), { naming });

    const begin = (): Promise<Begun> =>
      this.kept.begin(context.merchant.id, key, fingerprintOf(request, bytes));
    const begun = await begin();
    if (begun.kind !== 'New') return this.repeated(request, begun, key);
    const { ticket } = begun;
    request.isFirstOfItsKey = ticket.earlierReservation === undefined;
    const result = await this.executed(request, { ...context, idempotency: ticket }, body, execute);
    if (isStored(result)) return this.ended(request, result, { ticket });
    // An equal request may have stored its operation since this one looked: then its answer is this one's too.
    const since = await begin();
    if (since.kind === 'New') return this.ended(request, result, { naming });
    return this.repeated(request, since, key);
  }

  private repeated(
    request: ApiRequest,
    begun: Exclude<Begun, { kind: 'New' }>,
    key: string,
  ): Answer | Promise<Answer> {
    if (begun.kind === 'FromHistory')
      return this.ended(request, begun.result, { ticket: rememberable(begun, key) });
    request.logged.replayed = true;
    return begun.answer;
  }

  private executed<Body>(
    request: ApiRequest,
    context: RequestContext,
    body: Body,
    execute: Execute<Body>,
  ): Promise<RequestResult> {
    request.mayHaveStored = true;
    return execute(context, body);
  }

  private async ended(
    request: ApiRequest,
    result: RequestResult,
    { ticket, naming }: Ending,
  ): Promise<Answer> {
    if (!isStored(result)) throw unstoredError(result, naming?.());
    request.logged.transactionId = result.operationId;
    const answer =
      result.kind === 'Answered'
        ? new Answer(200, transactionJson(await this.shown.answered(result)))
        : withoutOutcome(result, request.traceId);
    if (ticket) await this.kept.keep(contextOf(request).merchant.id, ticket, answer, request.traceId);
    this.crashPoints.reached('before-response');
    return answer;
  }
}

type Remembered = Pick<IdempotencyTicket, 'key' | 'commandId'>;

interface Ending {
  /** Its answer is kept under it. */
  readonly ticket?: Remembered | undefined;
  /** Of a refusal, which most requests do not end with. */
  readonly naming?: () => Naming;
}

function isByReference(body: object): boolean {
  return 'originalReferenceId' in body && body.originalReferenceId !== undefined;
}

/** "Not known yet" out of history is no last word: once it is known, a repeat says so. */
function rememberable(
  { result, commandId }: Extract<Begun, { kind: 'FromHistory' }>,
  key: string,
): Remembered | undefined {
  return result.kind === 'Interrupted' ? undefined : { key, commandId };
}
