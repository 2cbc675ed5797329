import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import {
  HolderTokensController,
  PaymentMethodsController,
  TokensController,
} from './payment-methods.controllers.js';
import * as handlers from './payment-methods.handlers.js';
import { TokenList } from './token.list.js';

@Module({
  controllers: [PaymentMethodsController, TokensController, HolderTokensController],
  providers: [...handlersOf(handlers), TokenList],
})
export class PaymentMethodsModule {}
