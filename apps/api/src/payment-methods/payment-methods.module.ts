import { Module } from '@nestjs/common';
import { HolderTokensController } from './holder-tokens.controller.js';
import { PAYMENT_METHOD_QUERY_HANDLERS } from './payment-method.queries.js';
import { PaymentMethodsController } from './payment-methods.controller.js';
import { TOKEN_HANDLERS } from './token.commands.js';
import { TokensController } from './tokens.controller.js';

@Module({
  controllers: [PaymentMethodsController, TokensController, HolderTokensController],
  providers: [...TOKEN_HANDLERS, ...PAYMENT_METHOD_QUERY_HANDLERS],
})
export class PaymentMethodsModule {}
