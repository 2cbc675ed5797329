import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Liveness, Readiness } from '@tillstream/contracts';
import type { Adapters } from '@tillstream/platform';
import { Callers } from '../access/callers.js';
import { ADAPTERS, READINESS, type ReadinessGate } from '../api.parts.js';
import { Answer } from '../http/answer.js';
import { PublicEndpoint } from '../openapi/endpoint.js';
import { ReadinessChecks } from './readiness.checks.js';
import { HEALTH_ENDPOINTS } from './health.docs.js';

@ApiTags('Health')
@Controller('health')
@Callers('Anyone')
export class HealthController {
  private readonly checks: ReadinessChecks;

  constructor(@Inject(ADAPTERS) adapters: Adapters, @Inject(READINESS) gate: ReadinessGate) {
    this.checks = new ReadinessChecks(adapters, gate);
  }

  /** The process answers at all. */
  @Get('live')
  @PublicEndpoint(HEALTH_ENDPOINTS.live)
  live(): Liveness {
    return { status: 'live' };
  }

  /** It can take payments now; else 503 and why not. */
  @Get('ready')
  @PublicEndpoint(HEALTH_ENDPOINTS.ready)
  async ready(): Promise<Answer> {
    const checks = await this.checks.look();
    const failed = checks.filter(({ state }) => state === 'failed');
    const status = failed.length === 0 ? 'ready' : 'unavailable';
    const reasons = failed.map(({ name, reason }) => reason ?? name);
    const readiness: Readiness = { status, reasons, checks: [...checks] };
    return new Answer(status === 'ready' ? 200 : 503, JSON.stringify(readiness));
  }
}
