import { Module } from '@nestjs/common';
import { BatchesModule } from './batches/batches.module.js';
import { KeysModule } from './keys/keys.module.js';
import { MerchantsModule } from './merchants/merchants.module.js';
import { OperatorPaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { ProcessorsModule } from './processors/processors.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { UnknownOutcomesModule } from './unknown-outcomes/unknown-outcomes.module.js';

/** The operator API. */
@Module({
  imports: [
    MerchantsModule,
    KeysModule,
    OperatorPaymentMethodsModule,
    UnknownOutcomesModule,
    BatchesModule,
    ProjectionsModule,
    ProcessorsModule,
  ],
})
export class OperatorsModule {}
