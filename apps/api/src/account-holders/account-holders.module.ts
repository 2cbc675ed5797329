import { Module } from '@nestjs/common';
import { AccountHoldersController } from './account-holders.controller.js';
import { ACCOUNT_HOLDER_HANDLERS } from './account-holders.handlers.js';

@Module({
  controllers: [AccountHoldersController],
  providers: ACCOUNT_HOLDER_HANDLERS,
})
export class AccountHoldersModule {}
