import { Controller, Get, HttpStatus, Inject, Res } from '@nestjs/common';
import type { Liveness, Readiness } from '@tillstream/contracts';
import type { SettlementAdapters } from '@tillstream/platform';
import type { Response } from 'express';
import { ADAPTERS, READINESS, type ReadinessGate } from './settlement.parts.js';

@Controller('health')
export class HealthController {
  constructor(
    @Inject(ADAPTERS) private readonly adapters: SettlementAdapters,
    @Inject(READINESS) private readonly gate: ReadinessGate,
  ) {}

  @Get('live')
  live(): Liveness {
    return { status: 'live' };
  }

  /** 503 with reasons if the process can't close batches now. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const { closedBecause } = this.gate;
    const reasons = closedBecause === undefined ? await this.adapters.notReady() : [closedBecause];
    const name = closedBecause === undefined ? 'stores' : 'start';
    if (reasons.length === 0) return { status: 'ready', reasons: [], checks: [{ name, state: 'ok' }] };
    response.status(HttpStatus.SERVICE_UNAVAILABLE);
    const checks = reasons.map((reason) => ({ name, state: 'failed' as const, reason }));
    return { status: 'unavailable', reasons: [...reasons], checks };
  }
}
