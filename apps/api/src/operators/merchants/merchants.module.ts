import { Module } from '@nestjs/common';
import { MERCHANT_HANDLERS } from './merchants.commands.js';
import { MerchantsController } from './merchants.controller.js';
import { MERCHANT_QUERY_HANDLERS } from './merchants.queries.js';

@Module({
  controllers: [MerchantsController],
  providers: [...MERCHANT_HANDLERS, ...MERCHANT_QUERY_HANDLERS],
})
export class MerchantsModule {}
