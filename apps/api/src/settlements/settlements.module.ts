import { Module } from '@nestjs/common';
import { handlersOf } from '../use-case.js';
import { FeeChargesController, SettlementsController } from './settlements.controllers.js';
import * as handlers from './settlements.handlers.js';

@Module({ controllers: [SettlementsController, FeeChargesController], providers: [...handlersOf(handlers)] })
export class SettlementsModule {}
