import { Module } from '@nestjs/common';
import {
  HolderTokensController,
  PaymentMethodsController,
  TokensController,
} from './payment-methods.controllers.js';
import { PAYMENT_METHOD_HANDLERS } from './payment-methods.handlers.js';
import { TOKEN_HANDLERS } from './tokens.handlers.js';

@Module({
  controllers: [PaymentMethodsController, TokensController, HolderTokensController],
  providers: [...PAYMENT_METHOD_HANDLERS, ...TOKEN_HANDLERS],
})
export class PaymentMethodsModule {}
