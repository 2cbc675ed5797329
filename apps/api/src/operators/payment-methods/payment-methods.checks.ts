import { Inject, Injectable } from '@nestjs/common';
import type { ErrorDetail } from '@tillstream/contracts';
import { rejectUnfitPaymentMethod } from '@tillstream/domain';
import type { Config } from '@tillstream/platform';
import { MODE } from '../../api.parts.js';
import { invalidField, type BodyCheck } from '../../validation/body.check.js';
import type { NewFormDto } from './payment-methods.dto.js';

/** Origins with `http` are for the sandbox only, as in `returnUrl` (`docs/spec/README.md#field-types`). */
@Injectable()
export class AllowedOrigins implements BodyCheck<{ readonly allowedOrigins?: unknown }> {
  constructor(@Inject(MODE) private readonly mode: Config['mode']) {}

  errors({ allowedOrigins }: { readonly allowedOrigins?: unknown }): readonly ErrorDetail[] {
    const sent: readonly unknown[] = Array.isArray(allowedOrigins) ? allowedOrigins : [];
    const insecure = sent.some((one) => typeof one === 'string' && one.startsWith('http:'));
    if (this.mode !== 'live' || !insecure) return [];
    const message = 'allowedOrigins must begin with https:.';
    return [invalidField('allowedOrigins', message, 'received one of http, allowed https only')];
  }
}

/** Settings that a type of form can't have. */
@Injectable()
export class FormSettings implements BodyCheck<NewFormDto> {
  errors(body: NewFormDto, found: readonly ErrorDetail[]): readonly ErrorDetail[] {
    if (found.length > 0) return [];
    const rejection = rejectUnfitPaymentMethod(body.type, body);
    return rejection ? [invalidField(rejection.setting ?? 'type', rejection.message, rejection.details)] : [];
  }
}
