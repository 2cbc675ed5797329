import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { OperationsController } from './operations.controller.js';
import { TransactionsController } from './transactions.controller.js';
import * as handlers from './transactions.handlers.js';

@Module({
  controllers: [OperationsController, TransactionsController],
  providers: [...handlersOf(handlers)],
})
export class TransactionsModule {}
