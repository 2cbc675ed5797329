import { Module } from '@nestjs/common';
import { UnknownOutcomesController } from './unknown-outcomes.controller.js';
import { UNKNOWN_OUTCOME_HANDLERS } from './unknown-outcomes.handlers.js';

@Module({ controllers: [UnknownOutcomesController], providers: UNKNOWN_OUTCOME_HANDLERS })
export class UnknownOutcomesModule {}
