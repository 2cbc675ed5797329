import { Module } from '@nestjs/common';
import { HolderTokensController } from './holder-tokens.controller.js';
import { ListPaymentMethods, ListTokensOfHolder, TokenList } from './payment-method.queries.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { handlersOf } from '../use-case.js';
import * as commands from './token.commands.js';
import { TokensController } from './tokens.controller.js';

@Module({
  controllers: [PaymentMethodsController, TokensController, HolderTokensController],
  providers: [...handlersOf(commands), ...handlersOf({ ListPaymentMethods, ListTokensOfHolder }), TokenList],
})
export class PaymentMethodsModule {}
