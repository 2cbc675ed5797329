import { BatchesModule } from './batches/batches.module.js';
import { KeysModule } from './keys/keys.module.js';
import { MerchantsModule } from './merchants/merchants.module.js';
import { OperatorPaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { ProcessorsModule } from './processors/processors.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { UnknownOutcomesModule } from './unknown-outcomes/unknown-outcomes.module.js';

/** The operator API. */
export const OPERATOR_MODULES = [
  MerchantsModule,
  KeysModule,
  OperatorPaymentMethodsModule,
  UnknownOutcomesModule,
  BatchesModule,
  ProjectionsModule,
  ProcessorsModule,
];
