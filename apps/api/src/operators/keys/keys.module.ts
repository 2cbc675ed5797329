import { Module } from '@nestjs/common';
import { AdminKeysController, ApiKeysController } from './keys.controllers.js';
import { KEY_HANDLERS } from './keys.handlers.js';

@Module({ controllers: [AdminKeysController, ApiKeysController], providers: KEY_HANDLERS })
export class KeysModule {}
