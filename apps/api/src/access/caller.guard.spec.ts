import type { ExecutionContext } from '@nestjs/common';
import { ApiError } from '../http/api.error.js';
import { CallerGuard } from './caller.guard.js';
import { Callers } from './callers.js';
import type { Credential } from './credential.js';

@Callers('MerchantKey')
class Route {}

const credential: Credential = {
  kind: 'MerchantKey',
  sentIn: () => 'key',
  callerOf: async () => ({
    kind: 'MerchantKey',
    actor: { type: 'Operator', name: 'tester' },
    idempotencyOwner: 'mer_1',
  }),
  invalid: () => new Error('unexpected') as never,
  rateOf: () => ({ bucket: 'mer_1', perSecond: 0.25, burst: 1 }),
  forbidden: () => undefined,
};

it('Retry-After is the time until the next allowed request, in whole seconds, rounded up', async () => {
  const guard = new CallerGuard([credential]);
  const context = {
    getHandler: () => Route.prototype.constructor,
    getClass: () => Route,
    switchToHttp: () => ({
      getRequest: () => ({ method: 'GET' }),
      getResponse: () => ({ setHeader: () => undefined }),
    }),
  } as unknown as ExecutionContext;
  expect(await guard.canActivate(context)).toBe(true);
  // A little less than 4 s are left.
  const refused = await guard.canActivate(context).catch((error: unknown) => error as ApiError);
  expect(refused).toMatchObject({ http: 429, headers: { 'retry-after': '4' } });
});
