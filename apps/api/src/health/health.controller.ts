import { Controller, Get, Inject, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Liveness, Readiness } from '@tillstream/contracts';
import type { Adapters } from '@tillstream/platform';
import { ADAPTERS, READINESS, type ReadinessGate } from '../api.parts.js';
import { PublicApi } from '../http/endpoint.decorators.js';
import { JsonResponse } from '../http/json.response.js';
import { ReadinessChecks } from './readiness.checks.js';
import { HEALTH_ENDPOINTS } from './health.docs.js';

@ApiTags('Health')
@Controller('health')
@PublicApi(HEALTH_ENDPOINTS)
export class HealthController {
  private readonly checks: ReadinessChecks;

  constructor(@Inject(ADAPTERS) adapters: Adapters, @Inject(READINESS) gate: ReadinessGate) {
    this.checks = new ReadinessChecks(adapters, gate);
  }

  /** The process responds. */
  @Get('live')
  getLiveness(): Liveness {
    return { status: 'live' };
  }

  /**
   * 200 if it can take payments now; else 503 with the reasons. The checks have warnings, which the health checks of
   * `@nestjs/terminus` do not, and the body is part of the contract: so it is written here.
   */
  @Get('ready')
  async getReadiness(): Promise<JsonResponse> {
    const checks = await this.checks.run();
    const failed = checks.filter(({ state }) => state === 'failed');
    const status = failed.length === 0 ? 'ready' : 'unavailable';
    const reasons = failed.map(({ name, reason }) => reason ?? name);
    const readiness: Readiness = { status, reasons, checks: [...checks] };
    return new JsonResponse(status === 'ready' ? 200 : 503, JSON.stringify(readiness));
  }
}

@Module({ controllers: [HealthController] })
export class HealthModule {}
