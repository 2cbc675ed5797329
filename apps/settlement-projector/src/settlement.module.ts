import { Module, type DynamicModule } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { ADAPTERS, READINESS, type SettlementParts } from './settlement.parts.js';

@Module({})
export class SettlementModule {
  static of({ adapters, readiness }: SettlementParts): DynamicModule {
    return {
      module: SettlementModule,
      controllers: [HealthController],
      providers: [
        { provide: ADAPTERS, useValue: adapters },
        { provide: READINESS, useValue: readiness },
      ],
    };
  }
}
