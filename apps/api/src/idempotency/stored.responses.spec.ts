import type { CallHandler, ExecutionContext } from '@nestjs/common';
import type { HolderView } from '@tillstream/payments';
import { Crashed, PaymentsTestSetup } from '@tillstream/payments/testing';
import { ResponseSealer, noLog } from '@tillstream/platform';
import { defer, lastValueFrom } from 'rxjs';
import { Readable } from 'node:stream';
import { ApiError, conflict } from '../http/api.error.js';
import { ApiInterceptor } from '../http/api.interceptor.js';
import type { ApiRequest } from '../http/api.request.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import type { JsonResponse } from '../http/json.response.js';
import type { ReceivedBody } from '../http/received.body.js';
import { StoredResponses } from './stored.responses.js';

let stage: PaymentsTestSetup;
let interceptor: ApiInterceptor;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
  const stored = new StoredResponses(stage.useCases.payments, new ResponseSealer(Buffer.alloc(32)), noLog);
  // No request here starts an operation.
  interceptor = new ApiInterceptor(stored, {} as never);
});
afterEach(() => stage.close());

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

/** A request with the key `once`, as Nest runs it: the interceptor, the validation, the controller's method. */
async function once(sent: ApiRequest, run: (commandId?: string) => Promise<object>): Promise<JsonResponse> {
  const context = {
    getClass: () => Controller,
    getHandler: () => run,
    switchToHttp: () => ({ getRequest: () => sent }),
  } as unknown as ExecutionContext;
  const next: CallHandler = {
    handle: () =>
      defer(async () => {
        await (sent.body as ReceivedBody).whenValid();
        return run(sent.keyed?.ticket?.commandId);
      }),
  };
  return (await lastValueFrom(await interceptor.intercept(context, next))) as JsonResponse;
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
