import { Module } from '@nestjs/common';
import { AdminKeysController } from './admin-keys.controller.js';
import { ListAdminKeysHandler } from './admin-keys.queries.js';
import { API_KEY_HANDLERS } from './api-keys.commands.js';
import { ApiKeysController } from './api-keys.controller.js';

@Module({
  controllers: [ApiKeysController, AdminKeysController],
  providers: [...API_KEY_HANDLERS, ListAdminKeysHandler],
})
export class KeysModule {}
