import { Controller, Get, HttpStatus, Inject, Module, Res, type DynamicModule } from '@nestjs/common';
import type { Liveness, Readiness } from '@tillstream/contracts';
import type { SettlementAdapters } from '@tillstream/platform';
import type { Response } from 'express';

export interface SettlementParts {
  readonly adapters: SettlementAdapters;
  /** Why the process is not ready, during the start and the stop. */
  closedBecause: string | undefined;
}

/** Injection token, because Nest can't inject interfaces by type. */
const PARTS = Symbol('SettlementParts');

@Controller('health')
class HealthController {
  constructor(@Inject(PARTS) private readonly parts: SettlementParts) {}

  @Get('live')
  live(): Liveness {
    return { status: 'live' };
  }

  /** 503 with reasons if the process can't close batches now. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const { adapters, closedBecause } = this.parts;
    const reasons = closedBecause === undefined ? await adapters.notReady() : [closedBecause];
    const name = closedBecause === undefined ? 'stores' : 'start';
    if (reasons.length === 0) return { status: 'ready', reasons: [], checks: [{ name, state: 'ok' }] };
    response.status(HttpStatus.SERVICE_UNAVAILABLE);
    const checks = reasons.map((reason) => ({ name, state: 'failed' as const, reason }));
    return { status: 'unavailable', reasons: [...reasons], checks };
  }
}

@Module({})
export class SettlementModule {
  static of(parts: SettlementParts): DynamicModule {
    return {
      module: SettlementModule,
      controllers: [HealthController],
      providers: [{ provide: PARTS, useValue: parts }],
    };
  }
}
