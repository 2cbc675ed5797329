import type { ExecutionContext } from '@nestjs/common';
import type { HolderView } from '@tillstream/payments';
import { Crashed, PaymentsTestSetup } from '@tillstream/payments/testing';
import { ResponseSealer, noLog } from '@tillstream/platform';
import { Readable } from 'node:stream';
import { ApiError, conflict } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import { RepeatedRequest, type JsonResponse } from '../http/json.response.js';
import type { ReceivedBody } from '../http/received.body.js';
import { RequestGuard } from '../http/request.guard.js';
import { KeyedResponses } from './keyed.responses.js';
import { StoredResponses } from './stored.responses.js';

let stage: PaymentsTestSetup;
let guard: RequestGuard;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
  const stored = new StoredResponses(stage.useCases.payments, new ResponseSealer(Buffer.alloc(32)), noLog);
  // No request here starts an operation.
  guard = new RequestGuard(stored, new KeyedResponses(stored, {} as never), turns as never);
});
afterEach(() => stage.close());

/** All requests have their turn at once. */
const turns = { enter: () => undefined, start: () => undefined };

@MerchantApi()
class Controller {}

const request = (): ApiRequest =>
  Object.assign(Readable.from([Buffer.from('{}')]), {
    method: 'POST',
    originalUrl: '/v1/account-holders',
    traceId: 'a'.repeat(32),
    headers: {},
    headersDistinct: { 'idempotency-key': ['once'] },
    caller: { kind: 'MerchantKey', merchant: stage.merchant, idempotencyOwner: stage.merchant.id },
    logged: {},
  }) as unknown as ApiRequest;

/** A request with the key `once`, as Nest runs it: the guard, the validation, the controller's method, the response or the error. */
async function once(sent: ApiRequest, run: (commandId?: string) => Promise<object>): Promise<JsonResponse> {
  const context = {
    getClass: () => Controller,
    getHandler: () => run,
    switchToHttp: () => ({ getRequest: () => sent, getResponse: () => ({}) }),
  } as unknown as ExecutionContext;
  try {
    await guard.canActivate(context);
    await (sent.body as ReceivedBody).whenValid();
    const result = await run(sent.keyed?.ticket?.commandId);
    return (await sent.responder?.ofResult(result)) as JsonResponse;
  } catch (error) {
    if (error instanceof RepeatedRequest) return error.response;
    throw (await sent.responder?.ofError(error)) ?? error;
  }
}

async function create(commandId?: string): Promise<HolderView> {
  const context = {
    merchant: stage.merchant,
    actor: { type: 'ApiKey', name: 'Till' },
    traceId: 't',
  } as const;
  const created = await stage.useCases.accountHolders.create(context, { name: 'Ann' }, commandId);
  if (created.kind !== 'Done') throw new Error(created.kind);
  return created.holder;
}

const holders = async (): Promise<number> =>
  (await stage.memory.readAll({ categories: ['holder'], limit: 100 })).events.filter(
    ({ type }) => type === 'HolderCreated',
  ).length;

describe('A request that begins no operation, under an Idempotency-Key', () => {
  it('whose process died before it answered is done once: the repeat has what the first did', async () => {
    const dying = async (commandId?: string): Promise<HolderView> => {
      await create(commandId);
      throw new Crashed('before the answer was kept');
    };
    await expect(once(request(), dying)).rejects.toThrow(Crashed);
    await expect(once(request(), create)).rejects.toMatchObject({ http: 409, code: 3401 });

    const { sendWithin, terminalDeadline, margin } = stage.timings;
    stage.clock.pass(sendWithin + terminalDeadline + margin + 1);
    const answer = await once(request(), create);
    expect(await holders()).toBe(1);
    expect(JSON.parse(answer.body)).toMatchObject({ name: 'Ann' });
    expect((await once(request(), create)).body).toBe(answer.body);
  });

  it('that was refused leaves the key free at once', async () => {
    const refused = (): Promise<object> => Promise.reject(conflict('not now'));
    await expect(once(request(), refused)).rejects.toThrow(ApiError);
    expect((await once(request(), create)).status).toBe(200);
  });

  it('is its caller’s own: an operator’s equal key is another', async () => {
    await once(request(), create);
    const operator = request();
    Object.assign(operator, { caller: { kind: 'AdminKey', idempotencyOwner: 'operators' } });
    await once(operator, create);
    expect(await holders()).toBe(2);
  });
});
