import { Module } from '@nestjs/common';
import { PricingTemplatesController } from './pricing-templates.controller.js';
import { PRICING_TEMPLATE_HANDLERS } from './pricing-templates.handlers.js';

@Module({ controllers: [PricingTemplatesController], providers: PRICING_TEMPLATE_HANDLERS })
export class PricingTemplatesModule {}
