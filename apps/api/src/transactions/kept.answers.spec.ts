import type { HolderView } from '@tillstream/payments';
import { Crashed, PaymentsTestSetup } from '@tillstream/payments/testing';
import { ResponseSealer, noLog } from '@tillstream/platform';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { conflict } from './operation.answer.js';
import { KeptAnswers } from './kept.answers.js';

let stage: PaymentsTestSetup;
let kept: KeptAnswers;
beforeEach(async () => {
  stage = await PaymentsTestSetup.open();
  kept = new KeptAnswers(stage.useCases.payments, new ResponseSealer(Buffer.alloc(32)), noLog);
});
afterEach(() => stage.close());

const body = { body: {}, bytes: Buffer.from('{}'), key: 'once' };
const request = () =>
  ({
    method: 'POST',
    originalUrl: '/v1/account-holders',
    traceId: 'a'.repeat(32),
    caller: { kind: 'MerchantKey', merchant: stage.merchant, idempotencyOwner: stage.merchant.id },
    logged: {},
  }) as unknown as ApiRequest;

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
    await expect(kept.once(request(), body, dying)).rejects.toThrow(Crashed);
    await expect(kept.once(request(), body, create)).rejects.toMatchObject({ http: 409, code: 3401 });

    const { sendWithin, terminalDeadline, margin } = stage.timings;
    stage.clock.pass(sendWithin + terminalDeadline + margin + 1);
    const answer = await kept.once(request(), body, create);
    expect(await holders()).toBe(1);
    expect(JSON.parse(answer.body)).toMatchObject({ name: 'Ann' });
    expect((await kept.once(request(), body, create)).body).toBe(answer.body);
  });

  it('that was refused leaves the key free at once', async () => {
    const refused = (): Promise<object> => Promise.reject(conflict('not now'));
    await expect(kept.once(request(), body, refused)).rejects.toThrow(ApiError);
    expect((await kept.once(request(), body, create)).status).toBe(200);
  });

  it('is its caller’s own: an operator’s equal key is another', async () => {
    await kept.once(request(), body, create);
    const operator = { ...request(), caller: { kind: 'AdminKey', idempotencyOwner: 'operators' } };
    await kept.once(operator as unknown as ApiRequest, body, create);
    expect(await holders()).toBe(2);
  });
});
