import { Module } from '@nestjs/common';
import { AllowedWebhookUrl } from './webhook-endpoint.fields.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WEBHOOK_ENDPOINT_HANDLERS } from './webhook-endpoints.handlers.js';

@Module({
  controllers: [WebhookEndpointsController],
  providers: [...WEBHOOK_ENDPOINT_HANDLERS, AllowedWebhookUrl],
})
export class WebhookEndpointsModule {}
