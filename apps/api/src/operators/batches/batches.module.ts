import { Module } from '@nestjs/common';
import { BatchesController } from './batches.controller.js';
import { BATCH_HANDLERS } from './batches.handlers.js';

@Module({ controllers: [BatchesController], providers: BATCH_HANDLERS })
export class BatchesModule {}
