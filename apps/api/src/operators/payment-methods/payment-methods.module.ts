import { Module } from '@nestjs/common';
import { AllowedOrigins, FormSettings } from './payment-methods.checks.js';
import { PAYMENT_METHOD_HANDLERS } from './payment-methods.commands.js';
import { OperatorPaymentMethodsController } from './payment-methods.controller.js';
import { FindMerchantOfPaymentMethodHandler } from './payment-methods.queries.js';

@Module({
  controllers: [OperatorPaymentMethodsController],
  providers: [AllowedOrigins, FormSettings, ...PAYMENT_METHOD_HANDLERS, FindMerchantOfPaymentMethodHandler],
})
export class OperatorPaymentMethodsModule {}
