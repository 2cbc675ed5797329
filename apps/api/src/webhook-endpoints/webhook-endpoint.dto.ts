import { WEBHOOK_ENDPOINT_STATUSES, type WebhookEndpointStatus } from '@tillstream/contracts';
import { Described, DescribedHere, RequestSchema } from '../openapi/request.schema.js';
import { AtLeastOneField, CheckedBy } from '../validation/body.check.js';
import { OneOf, Text } from '../validation/field.decorators.js';
import { AllowedWebhookUrl, EventTypes, WebhookUrl } from './webhook-endpoint.fields.js';

class WebhookEndpointSettingsDto {
  @Described('A name for people.', 'Web shop')
  @Text(100)
  description?: string;
  @Described('Whether events are sent to it.', 'Enabled')
  @OneOf(WEBHOOK_ENDPOINT_STATUSES)
  status?: WebhookEndpointStatus;
}

@RequestSchema('NewWebhookEndpoint', 'An address that gets events.')
@CheckedBy(AllowedWebhookUrl)
@DescribedHere<NewWebhookEndpointDto>('status', 'Whether events are sent to it.', 'Enabled', 'Enabled')
export class NewWebhookEndpointDto extends WebhookEndpointSettingsDto {
  @WebhookUrl({ required: true })
  url!: string;
  @EventTypes('Managed', { required: true })
  eventTypes!: string[];
}

@RequestSchema(
  'WebhookEndpointChange',
  'The fields to change; at least one. `eventTypes` is replaced as a whole.',
)
@AtLeastOneField()
@CheckedBy(AllowedWebhookUrl)
export class WebhookEndpointChangeDto extends WebhookEndpointSettingsDto {
  @WebhookUrl()
  url?: string;
  @EventTypes('Managed')
  eventTypes?: string[];
}
