import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import * as commands from './account-holder.commands.js';
import { AccountHolderList, FindAccountHolder, ListAccountHolders } from './account-holder.queries.js';
import { AccountHoldersController } from './account-holders.controller.js';

@Module({
  controllers: [AccountHoldersController],
  providers: [
    ...handlersOf(commands),
    ...handlersOf({ FindAccountHolder, ListAccountHolders }),
    AccountHolderList,
  ],
})
export class AccountHoldersModule {}
