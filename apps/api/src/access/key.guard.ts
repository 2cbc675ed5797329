import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { Authenticated, Directory } from '@tillstream/payments';
import type { Config } from '@tillstream/platform';
import { DIRECTORY, MODE, RATE_LIMIT } from '../api.parts.js';
import { ApiError } from '../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { isKeyOf, sentKey, unauthenticated, unauthorized } from './api.key.js';
import { audienceOf } from './audience.js';
import { RateLimit } from './rate.limit.js';

const READING = new Set(['GET', 'HEAD']);

/** First of all answers: 401, then 429 (`decisions.md` 2.2). */
@Injectable()
export class KeyGuard implements CanActivate {
  private readonly rateLimit = new RateLimit();

  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(RATE_LIMIT) private readonly defaultRate: number,
    @Inject(MODE) private readonly mode: Config['mode'],
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { audience, isUnknownPath } = audienceOf(context.getClass());
    if (audience === 'Anyone') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const key = sentKey(request);
    const caller = isKeyOf(audience, this.mode, key) ? await this.directory.authenticate(key) : undefined;
    if (caller?.kind !== (audience === 'Merchants' ? 'Merchant' : 'Operator')) throw unauthenticated();
    request.caller = caller;
    if (caller.kind === 'Operator') return true;
    const forbidden = whyNot(caller, isUnknownPath || READING.has(request.method));
    // A refused call has the headers of its merchant's limit too, but takes nothing of it.
    this.limitRate(caller, context.switchToHttp().getResponse<ApiResponse>(), forbidden ? 0 : 1);
    if (forbidden !== undefined) throw unauthorized(forbidden);
    return true;
  }

  private limitRate({ merchant }: Authenticated, response: ApiResponse, cost: 0 | 1): void {
    const own = merchant.rateLimitPerSecond;
    const perSecond = own ?? this.defaultRate;
    if (perSecond === 0) return;
    const burst = own === undefined ? 2 * perSecond : own;
    const { allowed, limit, remaining, fullAt, retryAfter } = this.rateLimit.take(
      merchant.id,
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

function whyNot({ merchant, readOnly }: Authenticated, isReading: boolean): string | undefined {
  if (merchant.status === 'Disabled') return 'The merchant is disabled.';
  return readOnly && !isReading ? 'The API key may only read.' : undefined;
}
