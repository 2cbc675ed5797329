import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { BatchesController } from './batches/batches.controller.js';
import { AdminKeysController, ApiKeysController } from './keys/keys.controllers.js';
import { MerchantApplicationsController } from './merchant-applications/applications.controller.js';
import { MerchantsController } from './merchants/merchants.controller.js';
import * as handlers from './operators.handlers.js';
import { AllowedOrigins, FormSettings } from './payment-methods/payment-methods.checks.js';
import { OperatorPaymentMethodsController } from './payment-methods/payment-methods.controller.js';
import { PricingTemplatesController } from './pricing-templates/pricing-templates.controller.js';
import { ProcessorsController } from './processors/processors.controller.js';
import { ProjectionsController } from './projections/projections.controller.js';
import { LegacyEndpointsController } from './webhook-endpoints/legacy-endpoints.controller.js';
import { UnknownOutcomesController } from './unknown-outcomes/unknown-outcomes.controller.js';

/** The operator API. */
@Module({
  controllers: [
    MerchantsController,
    MerchantApplicationsController,
    PricingTemplatesController,
    ApiKeysController,
    LegacyEndpointsController,
    AdminKeysController,
    OperatorPaymentMethodsController,
    UnknownOutcomesController,
    BatchesController,
    ProjectionsController,
    ProcessorsController,
  ],
  providers: [AllowedOrigins, FormSettings, ...handlersOf(handlers)],
})
export class OperatorsModule {}
