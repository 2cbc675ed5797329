import { Controller, Get, Inject } from '@nestjs/common';
import type { Liveness, Readiness } from '@tillstream/contracts';
import type { Adapters } from '@tillstream/platform';
import { ForAnyone } from '../access/audience.js';
import { ADAPTERS, READINESS, type ReadinessGate } from '../api.parts.js';
import { Answer } from '../http/answer.js';

@Controller('health')
@ForAnyone()
export class HealthController {
  constructor(
    @Inject(ADAPTERS) private readonly adapters: Adapters,
    @Inject(READINESS) private readonly gate: ReadinessGate,
  ) {}

  /** The process answers at all. */
  @Get('live')
  live(): Liveness {
    return { status: 'live' };
  }

  /** It can take payments now; else 503 and why not. */
  @Get('ready')
  async ready(): Promise<Answer> {
    const { closedBecause } = this.gate;
    const reasons = closedBecause === undefined ? await this.adapters.notReady() : [closedBecause];
    const status = reasons.length === 0 ? 'ready' : 'unavailable';
    const readiness: Readiness = { status, reasons: [...reasons] };
    return new Answer(status === 'ready' ? 200 : 503, JSON.stringify(readiness));
  }
}
