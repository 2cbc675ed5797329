import { Inject, Injectable } from '@nestjs/common';
import type { ErrorDetail, FORM_TYPES, FormConfig } from '@tillstream/contracts';
import { rejectUnfitPaymentMethod } from '@tillstream/domain';
import type { Config } from '@tillstream/platform';
import { MODE } from '../../api.parts.js';
import { invalidField, type BodyCheck } from '../../validation/body.check.js';

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

interface Form {
  readonly type: (typeof FORM_TYPES)[number];
  readonly formConfig?: FormConfig;
  readonly allowedOrigins?: readonly string[];
}

/** Settings that a type of form can't have. */
@Injectable()
export class FormSettings implements BodyCheck<Form> {
  errors(body: Form, found: readonly ErrorDetail[]): readonly ErrorDetail[] {
    if (found.length > 0) return [];
    const rejection = rejectUnfitPaymentMethod(body.type, body);
    return rejection ? [invalidField(rejection.setting ?? 'type', rejection.message, rejection.details)] : [];
  }
}
