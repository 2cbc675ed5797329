import { Module } from '@nestjs/common';
import { LegacyEndpointsController } from './legacy-endpoints.controller.js';

/** Its commands are those of merchants' own endpoints. */
@Module({ controllers: [LegacyEndpointsController] })
export class LegacyEndpointsModule {}
