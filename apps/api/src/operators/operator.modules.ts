import { BatchesModule } from './batches/batches.module.js';
import { KeysModule } from './keys/keys.module.js';
import { MerchantApplicationsModule } from './merchant-applications/applications.module.js';
import { MerchantsModule } from './merchants/merchants.module.js';
import { OperatorPaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { PricingTemplatesModule } from './pricing-templates/pricing-templates.module.js';
import { ProcessorsModule } from './processors/processors.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { OperatorSettlementsModule } from './settlements/settlements.module.js';
import { UnknownOutcomesModule } from './unknown-outcomes/unknown-outcomes.module.js';
import { LegacyEndpointsModule } from './webhook-endpoints/legacy-endpoints.module.js';

/** The operator API. A list and not a module of modules: `UnknownPathsModule` says why. */
export const OPERATOR_MODULES = [
  MerchantsModule,
  MerchantApplicationsModule,
  PricingTemplatesModule,
  KeysModule,
  LegacyEndpointsModule,
  OperatorPaymentMethodsModule,
  UnknownOutcomesModule,
  BatchesModule,
  OperatorSettlementsModule,
  ProjectionsModule,
  ProcessorsModule,
];
