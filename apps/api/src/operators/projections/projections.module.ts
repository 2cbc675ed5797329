import { Module } from '@nestjs/common';
import { ProjectionsController } from './projections.controller.js';
import { PROJECTION_HANDLERS } from './projections.handlers.js';

@Module({ controllers: [ProjectionsController], providers: PROJECTION_HANDLERS })
export class ProjectionsModule {}
