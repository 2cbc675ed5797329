import { Module } from '@nestjs/common';
import { OPERATION_HANDLERS } from './operation.commands.js';
import { OperationsController } from './operations.controller.js';
import { TRANSACTION_QUERY_HANDLERS } from './transaction.queries.js';
import { TransactionsController } from './transactions.controller.js';

@Module({
  controllers: [OperationsController, TransactionsController],
  providers: [...OPERATION_HANDLERS, ...TRANSACTION_QUERY_HANDLERS],
})
export class TransactionsModule {}
