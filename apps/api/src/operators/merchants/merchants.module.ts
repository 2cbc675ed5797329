import { Module } from '@nestjs/common';
import { MerchantsController } from './merchants.controller.js';
import { MERCHANT_HANDLERS } from './merchants.handlers.js';

@Module({ controllers: [MerchantsController], providers: MERCHANT_HANDLERS })
export class MerchantsModule {}
