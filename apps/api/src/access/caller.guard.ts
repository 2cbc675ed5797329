import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import type { Caller } from './caller.kinds.js';
import { admittedTo, isUnknownPath, needsManagedWebhooks } from './callers.js';
import type { Credential, Rate } from './credential.js';
import { RateLimit } from './rate.limit.js';
import { unauthenticated } from './sent.key.js';

/** The credentials of all kinds of callers. */
export const CREDENTIALS = Symbol('Credentials');

const READING = new Set(['GET', 'HEAD']);

/** Authenticates the caller: 401, then 429, then every other error (`docs/spec/errors.md#which-answer-wins`). */
@Injectable()
export class CallerGuard implements CanActivate {
  private readonly rateLimit = new RateLimit();
  private readonly credentials: ReadonlyMap<string, Credential>;

  constructor(@Inject(CREDENTIALS) credentials: readonly Credential[]) {
    this.credentials = new Map(credentials.map((credential) => [credential.kind, credential]));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const admitted = admittedTo(context.getHandler(), context.getClass()) ?? [];
    if (admitted[0] === 'Anyone') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { credential, sent } = this.credentialIn(request, admitted);
    const caller = await credential.callerOf(sent, request);
    if (caller === undefined) throw credential.invalid(request);
    request.caller = caller as Caller;
    const readsOnly = READING.has(request.method) || isUnknownPath(context.getClass());
    const forbidden = credential.forbidden(caller, {
      readsOnly,
      managesWebhooks: needsManagedWebhooks(context.getClass()),
    });
    const rate = credential.rateOf(caller);
    // A forbidden call has the headers of its caller's limit too, but takes no token.
    if (rate) this.limit(rate, context.switchToHttp().getResponse<ApiResponse>(), forbidden ? 0 : 1);
    if (forbidden) throw forbidden;
    return true;
  }

  private credentialIn(
    request: ApiRequest,
    admitted: readonly string[],
  ): { readonly credential: Credential; readonly sent: string } {
    let first: Credential | undefined;
    for (const kind of admitted) {
      const credential = this.credentials.get(kind);
      const sent = credential?.sentIn(request);
      if (credential && sent !== undefined) return { credential, sent };
      first ??= credential;
    }
    throw first?.invalid(request) ?? unauthenticated('No caller is admitted here.');
  }

  private limit({ bucket, perSecond, burst }: Rate, response: ApiResponse, cost: 0 | 1): void {
    const { allowed, limit, remaining, fullAt, retryAfter } = this.rateLimit.take(
      bucket,
      perSecond,
      burst,
      cost,
    );
    response.setHeader('x-ratelimit-limit', limit);
    response.setHeader('x-ratelimit-remaining', remaining);
    response.setHeader('x-ratelimit-reset', Math.ceil(fullAt / 1000));
    if (allowed) return;
    throw new ApiError(429, ErrorCode.UnknownServerGenericError, 'Too many requests; try again later.', {
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfter / 1000))) },
    });
  }
}
