import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { Merchant } from '@tillstream/domain';
import type { Authentication } from '@tillstream/payments';
import type { Config } from '@tillstream/platform';
import { AUTHENTICATION, MODE, RATE_LIMIT } from '../api.parts.js';
import { ApiError } from '../http/api.error.js';
import type { CallerFacts, Credential, Rate, RequestedAccess } from './credential.js';
import { SentKey } from './sent.key.js';

/** A service in sandbox mode takes test keys only, a live one live keys only (`docs/spec/authentication.md#merchant-keys`). */
const FORM = {
  sandbox: /^sk_test_[A-Za-z0-9]{32}$/,
  live: /^sk_live_[A-Za-z0-9]{32}$/,
} as const;

/** A merchant's own systems. */
export interface MerchantKeyCaller extends CallerFacts {
  readonly kind: 'MerchantKey';
  readonly merchant: Merchant;
  readonly readOnly: boolean;
}

/** The API key of a merchant, in `x-api-key` or as a bearer token. */
@Injectable()
export class MerchantKeyCredential extends SentKey implements Credential<MerchantKeyCaller> {
  readonly kind = 'MerchantKey';

  constructor(
    @Inject(AUTHENTICATION) private readonly authentication: Authentication,
    @Inject(RATE_LIMIT) private readonly defaultRate: number,
    @Inject(MODE) mode: Config['mode'],
  ) {
    super(FORM[mode]);
  }

  async callerOf(key: string): Promise<MerchantKeyCaller | undefined> {
    const found = await this.authentication.authenticate(key);
    if (found?.kind !== 'Merchant') return undefined;
    const { merchant, keyId, keyName, readOnly } = found;
    const actor = { type: 'ApiKey', name: keyName, keyId } as const;
    return { kind: 'MerchantKey', actor, idempotencyOwner: merchant.id, merchant, readOnly };
  }

  /** The keys of a merchant share one bucket. Where the merchant has a rate of its own, the burst is the same number. */
  rateOf({ merchant }: MerchantKeyCaller): Rate | undefined {
    const own = merchant.rateLimitPerSecond;
    const perSecond = own ?? this.defaultRate;
    if (perSecond === 0) return undefined;
    return { bucket: merchant.id, perSecond, burst: own === undefined ? 2 * perSecond : own };
  }

  forbidden(
    { merchant, readOnly }: MerchantKeyCaller,
    { readsOnly, managesWebhooks }: RequestedAccess,
  ): ApiError | undefined {
    if (merchant.status === 'Disabled') return unauthorized('The merchant is disabled.');
    if (readsOnly) return undefined;
    if (readOnly) return unauthorized('The API key may only read.');
    return managesWebhooks && !merchant.managedWebhooks
      ? unauthorized('Managed webhooks are not enabled for the merchant.')
      : undefined;
  }
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, ErrorCode.MerchantNotAuthorizedForResource, message);
}
