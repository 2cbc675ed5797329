import { Module } from '@nestjs/common';
import { ProcessorsController } from './processors.controller.js';
import { PROCESSOR_HANDLERS } from './processors.handlers.js';

@Module({ controllers: [ProcessorsController], providers: PROCESSOR_HANDLERS })
export class ProcessorsModule {}
