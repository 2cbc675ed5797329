import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { AllowedWebhookUrl } from './webhook-endpoint.fields.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import * as handlers from './webhook-endpoints.handlers.js';

@Module({
  controllers: [WebhookEndpointsController],
  providers: [...handlersOf(handlers), AllowedWebhookUrl],
})
export class WebhookEndpointsModule {}
