import { applyDecorators, Inject, Injectable } from '@nestjs/common';
import { ErrorCode, type ErrorDetail } from '@tillstream/contracts';
import {
  ALL_EVENT_TYPES,
  EVENT_TYPES_OF,
  MAX_WEBHOOK_URL_LENGTH,
  type WebhookMethod,
} from '@tillstream/domain';
import type { WebhookEndpointRegistry } from '@tillstream/payments';
import { WEBHOOK_ENDPOINTS } from '../api.parts.js';
import { Described } from '../openapi/request.schema.js';
import { invalidField, type BodyCheck } from '../validation/body.check.js';
import { isText } from '../validation/field.decorators.js';
import { field } from '../validation/field.rule.js';

/* The fields of webhook endpoints, managed and legacy (`docs/spec/webhooks.md#managed-endpoints`). */

const ANY_ADDRESS = `an absolute address of at most ${MAX_WEBHOOK_URL_LENGTH} characters`;

interface Presence {
  readonly required?: boolean;
}

/** A DTO with it has `@CheckedBy(AllowedWebhookUrl)`. An address may have a secret in it, so no error repeats it. */
export const WebhookUrl = ({ required = false }: Presence = {}): PropertyDecorator =>
  applyDecorators(
    field({
      required,
      allowed: ANY_ADDRESS,
      details: (value) =>
        `received ${value === undefined ? 'nothing' : 'something else'}, allowed ${ANY_ADDRESS}`,
      fits: (value) => isText(value, MAX_WEBHOOK_URL_LENGTH),
      schema: { type: 'string', format: 'uri', minLength: 1, maxLength: MAX_WEBHOOK_URL_LENGTH },
    }),
    Described(
      'Where events are sent: https (in the sandbox http too), without user and password, and no private or otherwise ' +
        'special address.',
      'https://shop.example/webhooks',
    ),
  );

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** None: 2901. One that does not exist, or that an endpoint of this method can not have: 2903. */
export const EventTypes = (method: WebhookMethod, { required = false }: Presence = {}): PropertyDecorator => {
  const types: readonly string[] = [ALL_EVENT_TYPES, ...EVENT_TYPES_OF[method]];
  return applyDecorators(
    field({
      required,
      code: ErrorCode.RequestValidationWebhookMissingTypeAndDmnType,
      allowed: 'a list of at least one type of event',
      fits: (value) => !isList(value) || value.length > 0,
      schema: { minItems: 1 },
    }),
    field({
      code: ErrorCode.RequestValidationUnsupportedWebhookType,
      allowed: types.join(', '),
      fits: (value) =>
        !isList(value) || value.every((type) => typeof type !== 'string' || types.includes(type)),
      schema: { type: 'array', items: { type: 'string', enum: types }, maxItems: types.length },
    }),
    field({
      allowed: 'a list of texts',
      fits: (value) =>
        isList(value) && value.length <= types.length && value.every((type) => typeof type === 'string'),
    }),
    Described('The types of events to send; `*` stands for all but the opt-in ones.', ['*']),
  );
};

/** The address itself: its scheme, and that it names no special address outright. */
@Injectable()
export class AllowedWebhookUrl implements BodyCheck<{ readonly url?: unknown }> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  errors({ url }: { readonly url?: unknown }): readonly ErrorDetail[] {
    const problem = isText(url, MAX_WEBHOOK_URL_LENGTH) ? this.endpoints.urlProblem(url) : undefined;
    if (!problem) return [];
    const details = `received ${problem.received}, allowed ${problem.allowed}`;
    return [invalidField('url', `url must be ${problem.allowed}.`, details)];
  }
}
