import { Module } from '@nestjs/common';
import { ACCOUNT_HOLDER_HANDLERS } from './account-holder.commands.js';
import { ACCOUNT_HOLDER_QUERY_HANDLERS } from './account-holder.queries.js';
import { AccountHoldersController } from './account-holders.controller.js';

@Module({
  controllers: [AccountHoldersController],
  providers: [...ACCOUNT_HOLDER_HANDLERS, ...ACCOUNT_HOLDER_QUERY_HANDLERS],
})
export class AccountHoldersModule {}
