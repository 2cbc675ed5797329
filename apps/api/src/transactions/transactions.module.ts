import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import * as commands from './operation.commands.js';
import { OperationsController } from './operations.controller.js';
import { FindTransactionHandler, ListTransactionsHandler, ReadHistory } from './transaction.queries.js';
import { TransactionsController } from './transactions.controller.js';

@Module({
  controllers: [OperationsController, TransactionsController],
  providers: [...handlersOf(commands), ReadHistory.handler, FindTransactionHandler, ListTransactionsHandler],
})
export class TransactionsModule {}
