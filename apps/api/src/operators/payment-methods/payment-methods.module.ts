import { Module } from '@nestjs/common';
import { AllowedOrigins, FormSettings } from './payment-methods.checks.js';
import { OperatorPaymentMethodsController } from './payment-methods.controller.js';
import { OPERATOR_PAYMENT_METHOD_HANDLERS } from './payment-methods.handlers.js';

@Module({
  controllers: [OperatorPaymentMethodsController],
  providers: [AllowedOrigins, FormSettings, ...OPERATOR_PAYMENT_METHOD_HANDLERS],
})
export class OperatorPaymentMethodsModule {}
