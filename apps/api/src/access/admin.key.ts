import { Inject, Injectable } from '@nestjs/common';
import type { Authentication } from '@tillstream/payments';
import { AUTHENTICATION } from '../api.parts.js';
import type { CallerFacts, Credential } from './credential.js';
import { SentKey } from './sent.key.js';

/** The same in sandbox and in live mode. */
const FORM = /^ak_[A-Za-z0-9]{32}$/;

/** Stored with the responses: it never changes. */
const IDEMPOTENCY_OWNER = 'operators';

/** An operator, or a program of an operator. */
export interface AdminKeyCaller extends CallerFacts {
  readonly kind: 'AdminKey';
}

/**
 * The admin key, in the same headers as a merchant's (`docs/spec/authentication.md#admin-keys`). Operators have no rate
 * limit.
 */
@Injectable()
export class AdminKeyCredential extends SentKey implements Credential<AdminKeyCaller> {
  readonly kind = 'AdminKey';

  constructor(@Inject(AUTHENTICATION) private readonly authentication: Authentication) {
    super(FORM);
  }

  async callerOf(key: string): Promise<AdminKeyCaller | undefined> {
    const found = await this.authentication.authenticate(key);
    if (found?.kind !== 'Operator') return undefined;
    const actor = { type: 'Operator', name: found.keyName, keyId: found.keyId } as const;
    return { kind: 'AdminKey', actor, idempotencyOwner: IDEMPOTENCY_OWNER };
  }

  rateOf(): undefined {
    return undefined;
  }

  forbidden(): undefined {
    return undefined;
  }
}
