import { Module } from '@nestjs/common';
import { OperatorSettlementsController } from './settlements.controller.js';
import { OPERATOR_SETTLEMENT_HANDLERS } from './settlements.handlers.js';

@Module({ controllers: [OperatorSettlementsController], providers: OPERATOR_SETTLEMENT_HANDLERS })
export class OperatorSettlementsModule {}
