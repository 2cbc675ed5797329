import { Module } from '@nestjs/common';
import { OperationsController } from './operations.controller.js';
import { TransactionsController } from './transactions.controller.js';
import { OPERATION_HANDLERS } from './operations.handlers.js';
import { TRANSACTION_HANDLERS } from './transactions.handlers.js';

@Module({
  controllers: [OperationsController, TransactionsController],
  providers: [...OPERATION_HANDLERS, ...TRANSACTION_HANDLERS],
})
export class TransactionsModule {}
