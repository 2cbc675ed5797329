import { applyDecorators, Inject, Injectable } from '@nestjs/common';
import type { ErrorDetail } from '@tillstream/contracts';
import type { Config } from '@tillstream/platform';
import { MODE } from '../../api.parts.js';
import { Described } from '../../openapi/request.schema.js';
import { invalidField, type BodyCheck } from '../../validation/body.check.js';
import { isText } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';

const MAX_LENGTH = 1000;
const ALLOWED = `an absolute address of at most ${MAX_LENGTH} characters with https:, without credentials`;

/** `docs/spec/README.md#field-types`. The address may have credentials in it, so no error repeats it. */
export const ReturnUrl = (): PropertyDecorator =>
  applyDecorators(
    field({
      allowed: ALLOWED,
      details: () => `received something else, allowed ${ALLOWED}`,
      fits: isReturnUrl,
      schema: { type: 'string', format: 'uri', maxLength: MAX_LENGTH },
    }),
    Described(
      'Where the form goes when it has completed or was cancelled, with the result in five parameters.',
      'https://shop.example/paid?order=1001',
    ),
  );

function isReturnUrl(value: unknown): boolean {
  if (!isText(value, MAX_LENGTH) || !/^https?:\/\/[^\s]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

interface WithReturnUrl {
  readonly returnUrl?: unknown;
}

/** Addresses with `http:` are for the sandbox only. */
@Injectable()
export class SecureReturnUrl implements BodyCheck<WithReturnUrl> {
  constructor(@Inject(MODE) private readonly mode: Config['mode']) {}

  errors({ returnUrl }: WithReturnUrl): readonly ErrorDetail[] {
    const isInsecure = typeof returnUrl === 'string' && /^http:/i.test(returnUrl);
    if (this.mode !== 'live' || !isInsecure) return [];
    return [invalidField('returnUrl', 'returnUrl must begin with https:.', 'received http:, allowed https:')];
  }
}
