import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { AccountHolderList } from './account-holder.list.js';
import { AccountHoldersController } from './account-holders.controller.js';
import * as handlers from './account-holders.handlers.js';

@Module({
  controllers: [AccountHoldersController],
  providers: [...handlersOf(handlers), AccountHolderList],
})
export class AccountHoldersModule {}
