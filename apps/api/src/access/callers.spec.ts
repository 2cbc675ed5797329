import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module, Post, Req, type INestApplication, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { ErrorCode, type ErrorEnvelope } from '@tillstream/contracts';
import { noLog } from '@tillstream/platform';
import { LOG } from '../api.parts.js';
import { JsonAdapter } from '../http/json.adapter.js';
import { ApiError, notFound } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { MerchantApi } from '../http/endpoint.decorators.js';
import { ErrorFilter } from '../http/error.filter.js';
import { CallerGuard, CREDENTIALS } from './caller.guard.js';
import { contextOf } from './caller.js';
import type { CallerKind } from './caller.kinds.js';
import { Callers } from './callers.js';
import type { CallerFacts, Credential, Rate, RequestedAccess } from './credential.js';
import { RouteCheck } from './route.check.js';
import { unauthenticated } from './sent.key.js';

/*
 * Two kinds of callers that the service does not have: all that a kind needs is in its class, its entry in the list of
 * credentials, and the routes that admit it.
 */

interface Visitor extends CallerFacts {
  readonly idempotencyOwner: string;
  readonly merchant: { readonly id: string };
}

/** A credential in the path, which is rate limited by itself and is answered 404 where it is unknown. */
class Ticket implements Credential<Visitor> {
  readonly kind = 'Ticket';

  sentIn({ params }: ApiRequest): string | undefined {
    const { ticket } = params;
    return typeof ticket === 'string' && /^tck_[a-z]{4}$/.test(ticket) ? ticket : undefined;
  }

  callerOf(ticket: string): Promise<Visitor | undefined> {
    if (ticket === 'tck_over') throw new ApiError(400, ErrorCode.InvalidOrExpiredSession, 'It is spent.');
    if (ticket === 'tck_none') return Promise.resolve(undefined);
    const actor = { type: 'Customer', name: 'Visitor' } as const;
    return Promise.resolve({ kind: this.kind, actor, idempotencyOwner: ticket, merchant: { id: 'mer_1' } });
  }

  invalid(): ApiError {
    return notFound('There is no such ticket.', ErrorCode.InvalidOrExpiredSession);
  }

  rateOf({ idempotencyOwner }: Visitor): Rate {
    return { bucket: idempotencyOwner, perSecond: 1, burst: 2 };
  }

  forbidden(_visitor: Visitor, { readsOnly }: RequestedAccess): ApiError | undefined {
    return readsOnly ? undefined : unauthenticated('A ticket may only read.');
  }
}

/** A credential in a header. */
class Badge implements Credential {
  readonly kind = 'Badge';

  sentIn({ headers }: ApiRequest): string | undefined {
    const badge = headers['x-badge'];
    return typeof badge === 'string' ? badge : undefined;
  }

  callerOf(badge: string): Promise<CallerFacts | undefined> {
    const actor = { type: 'System', name: badge } as const;
    const caller = { kind: this.kind, actor, idempotencyOwner: 'guards' };
    return Promise.resolve(badge === 'good' ? caller : undefined);
  }

  invalid(): ApiError {
    return unauthenticated('The badge is missing or unknown.');
  }

  rateOf(): undefined {
    return undefined;
  }

  forbidden(): undefined {
    return undefined;
  }
}

const admits = (...kinds: readonly string[]) => Callers(...(kinds as [CallerKind, ...CallerKind[]]));

@Controller('doors/:ticket')
@admits('Ticket')
class Doors {
  @Get()
  visit(@Req() request: ApiRequest): object {
    const { merchant, actor } = contextOf(request);
    return { merchant: merchant.id, actor, owner: request.caller?.idempotencyOwner };
  }

  @Post()
  change(): object {
    return {};
  }

  @Get('either')
  @admits('Badge', 'Ticket')
  either(@Req() { caller }: ApiRequest): object {
    return { kind: caller?.kind };
  }

  @Get('open')
  @Callers('Anyone')
  open(@Req() { caller }: ApiRequest): object {
    return { kind: caller?.kind ?? 'none' };
  }
}

async function served(controller: Type, { checked = true } = {}): Promise<INestApplication<Server>> {
  const credentials = { provide: CREDENTIALS, useValue: [new Ticket(), new Badge()] };
  const guard = { provide: APP_GUARD, useClass: CallerGuard };
  const filter = { provide: APP_FILTER, useClass: ErrorFilter };
  const providers = [credentials, guard, filter, { provide: LOG, useValue: noLog }];

  @Module({ controllers: [controller], providers: [...providers, ...(checked ? [RouteCheck] : [])] })
  class Served {}

  const app = await NestFactory.create<INestApplication<Server>>(Served, new JsonAdapter(), {
    logger: false,
    abortOnError: false,
    bodyParser: false,
  });
  app.use((request: ApiRequest, _response: unknown, next: () => void) => {
    request.logged = {};
    next();
  });
  await app.listen(0, '127.0.0.1');
  return app;
}

async function ask(
  app: INestApplication<Server>,
  path: string,
  more: RequestInit = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, more);
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

describe('A new kind of caller', () => {
  let app: INestApplication<Server>;
  beforeAll(async () => {
    app = await served(Doors);
  });
  afterAll(() => app.close());

  it('is resolved from where its credential is, and known to the route', async () => {
    const { status, body } = await ask(app, '/doors/tck_abcd');
    const actor = { type: 'Customer', name: 'Visitor' };
    expect([status, body]).toEqual([200, { merchant: 'mer_1', actor, owner: 'tck_abcd' }]);
  });

  it('has its own answers to a credential that is missing, unknown or at its end', async () => {
    const codes = await Promise.all(
      ['x', 'tck_none', 'tck_over'].map(async (ticket) => {
        const { status, body } = await ask(app, `/doors/${ticket}`);
        return [status, (body as unknown as ErrorEnvelope).code];
      }),
    );
    expect(codes).toEqual([
      [404, 3201],
      [404, 3201],
      [400, 3201],
    ]);
  });

  it('is rate limited by its own bucket, from which a call that it may not make takes nothing', async () => {
    const remaining = async (method: string, ticket = 'tck_rate') => {
      const { status, headers } = await ask(app, `/doors/${ticket}`, { method });
      return `${status} ${headers.get('x-ratelimit-remaining')}`;
    };
    expect(await remaining('POST')).toBe('401 2');
    expect([await remaining('GET'), await remaining('GET'), await remaining('GET')]).toEqual([
      '200 1',
      '200 0',
      '429 0',
    ]);
    expect(await remaining('POST')).toBe('401 0');
    expect(await remaining('GET', 'tck_same')).toBe('200 1');
  });

  it('may be one of several that a method admits: the first whose credential was sent counts', async () => {
    const either = (headers: Record<string, string>, ticket = 'tck_many') =>
      ask(app, `/doors/${ticket}/either`, { headers });
    expect((await either({})).body).toEqual({ kind: 'Ticket' });
    expect((await either({ 'x-badge': 'good' })).body).toEqual({ kind: 'Badge' });
    // A bad credential is not passed over for the sake of another one.
    expect((await either({ 'x-badge': 'bad' })).status).toBe(401);
    // Without any it is the first kind's answer.
    expect((await either({}, 'x')).status).toBe(401);
  });

  it('is not looked for on a method that admits anyone', async () => {
    expect((await ask(app, '/doors/x/open', { headers: { 'x-badge': 'bad' } })).body).toEqual({
      kind: 'none',
    });
  });
});

@Controller('silent')
class Silent {
  @Get()
  answer(): object {
    return {};
  }
}

@Controller('stranger')
@Callers('MerchantKey')
class Stranger {
  @Get()
  answer(): object {
    return {};
  }
}

@Controller('unvalidated')
@MerchantApi()
class Unvalidated {
  @Post()
  change(): object {
    return {};
  }
}

it('A route that writes and declares no body keeps the service from starting', async () => {
  await expect(served(Unvalidated)).rejects.toThrow(
    'Unvalidated.change writes and does not validate its body: add @Body() with a DTO class',
  );
});

describe('A route that does not say who may call it', () => {
  it('keeps the service from starting', async () => {
    await expect(served(Silent)).rejects.toThrow(
      'Silent.answer does not say who may call it: add @Callers(…)',
    );
  });

  it('admits no caller', async () => {
    const app = await served(Silent, { checked: false });
    expect((await ask(app, '/silent')).status).toBe(401);
    expect((await ask(app, '/silent', { headers: { 'x-badge': 'good' } })).status).toBe(401);
    await app.close();
  });

  it('or admits a kind without a credential, keeps the service from starting', async () => {
    await expect(served(Stranger)).rejects.toThrow(
      'Stranger.answer admits MerchantKey, which has no credential',
    );
  });
});
