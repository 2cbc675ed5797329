import { Module } from '@nestjs/common';
import { MerchantApplicationsController } from './applications.controller.js';
import { APPLICATION_HANDLERS } from './applications.handlers.js';

@Module({ controllers: [MerchantApplicationsController], providers: APPLICATION_HANDLERS })
export class MerchantApplicationsModule {}
