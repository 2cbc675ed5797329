import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { BatchesController } from './batches/batches.controller.js';
import * as batches from './batches/batches.handlers.js';
import { AdminKeysController } from './keys/admin-keys.controller.js';
import { ApiKeysController } from './keys/api-keys.controller.js';
import * as keys from './keys/keys.handlers.js';
import { MerchantsController } from './merchants/merchants.controller.js';
import * as merchants from './merchants/merchants.handlers.js';
import { AllowedOrigins, FormSettings } from './payment-methods/payment-methods.checks.js';
import { OperatorPaymentMethodsController } from './payment-methods/payment-methods.controller.js';
import * as paymentMethods from './payment-methods/payment-methods.handlers.js';
import { ProcessorsController } from './processors/processors.controller.js';
import * as processors from './processors/processors.handlers.js';
import { ProjectionsController } from './projections/projections.controller.js';
import * as projections from './projections/projections.handlers.js';
import { UnknownOutcomesController } from './unknown-outcomes/unknown-outcomes.controller.js';
import * as unknownOutcomes from './unknown-outcomes/unknown-outcomes.handlers.js';

/** The operator API. */
@Module({
  controllers: [
    MerchantsController,
    ApiKeysController,
    AdminKeysController,
    OperatorPaymentMethodsController,
    UnknownOutcomesController,
    BatchesController,
    ProjectionsController,
    ProcessorsController,
  ],
  providers: [
    AllowedOrigins,
    FormSettings,
    ...[batches, keys, merchants, paymentMethods, processors, projections, unknownOutcomes].flatMap(
      handlersOf,
    ),
  ],
})
export class OperatorsModule {}
