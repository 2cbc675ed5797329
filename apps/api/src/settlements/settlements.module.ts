import { Module } from '@nestjs/common';
import { FeeChargesController, SettlementsController } from './settlements.controllers.js';
import { SETTLEMENT_HANDLERS } from './settlements.handlers.js';

@Module({ controllers: [SettlementsController, FeeChargesController], providers: SETTLEMENT_HANDLERS })
export class SettlementsModule {}
