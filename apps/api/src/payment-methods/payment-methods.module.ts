import { Module } from '@nestjs/common';
import { ListPaymentMethods, ListTokensOfHolder, TokenList } from './payment-method.queries.js';
import {
  HolderTokensController,
  PaymentMethodsController,
  TokensController,
} from './payment-methods.controllers.js';
import { handlersOf } from '../use-case.js';
import * as commands from './token.commands.js';

@Module({
  controllers: [PaymentMethodsController, TokensController, HolderTokensController],
  providers: [...handlersOf(commands), ...handlersOf({ ListPaymentMethods, ListTokensOfHolder }), TokenList],
})
export class PaymentMethodsModule {}
