import { RequestSchema, Described } from '../../openapi/request.schema.js';
import { CheckedBy, Confidential } from '../../validation/body.check.js';
import { isText } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import {
  AllowedWebhookUrl,
  EventTypes,
  WebhookUrl,
} from '../../webhook-endpoints/webhook-endpoint.fields.js';

const SECRET_MIN = 16;
const SECRET_MAX = 128;

/** Its UTF-8 bytes are the key (`docs/spec/webhooks.md#legacy-signature`). */
const LegacySecret = (): PropertyDecorator =>
  field({
    allowed: `a text of ${SECRET_MIN} to ${SECRET_MAX} characters without control characters`,
    fits: (value) => isText(value, SECRET_MAX) && [...value].length >= SECRET_MIN,
    schema: { type: 'string', minLength: SECRET_MIN, maxLength: SECRET_MAX },
  });

@RequestSchema('NewLegacyWebhookEndpoint', 'An address that gets events with the legacy signature.')
@CheckedBy(AllowedWebhookUrl)
@Confidential()
export class NewLegacyEndpointDto {
  @WebhookUrl({ required: true })
  url!: string;
  @EventTypes('Legacy', { required: true })
  eventTypes!: string[];
  @Described(
    'The key of the signature, as text. Left out: a new one is made.',
    'a secret that both sides know',
  )
  @LegacySecret()
  secret?: string;
}

@RequestSchema('LegacyWebhookSecret', 'The new secret of a legacy endpoint.')
@Confidential()
export class LegacySecretDto {
  @Described(
    'The key of the signature, as text. Left out: a new one is made.',
    'a secret that both sides know',
  )
  @LegacySecret()
  secret?: string;
}
