import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import * as commands from './operation.commands.js';
import { OperationsController } from './operations.controller.js';
import { FindTransaction, ListTransactions, ReadHistory, TransactionLookup } from './transaction.queries.js';
import { TransactionsController } from './transactions.controller.js';

@Module({
  controllers: [OperationsController, TransactionsController],
  providers: [
    ...handlersOf({ ...commands, FindTransaction, ListTransactions, ReadHistory }),
    TransactionLookup,
  ],
})
export class TransactionsModule {}
