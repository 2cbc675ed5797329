import { Controller, Get, HttpStatus, Inject, Module, Res, type DynamicModule } from '@nestjs/common';
import type { HealthCheck, Liveness, Readiness } from '@tillstream/contracts';
import type { MetricsRegistry } from '@tillstream/platform';
import type { Response } from 'express';

export interface CompanionParts {
  readonly checks: () => Promise<readonly HealthCheck[]>;
  readonly metrics: Pick<MetricsRegistry, 'text'>;
}

/** Injection token, because Nest can't inject interfaces by type. */
const PARTS = Symbol('CompanionParts');

@Controller('health')
class HealthController {
  constructor(@Inject(PARTS) private readonly parts: CompanionParts) {}

  @Get('live')
  live(): Liveness {
    return { status: 'live' };
  }

  /** 503 with reasons if the process can't do its work now. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const checks = [...(await this.parts.checks())];
    const failed = checks.filter(({ state }) => state === 'failed');
    if (failed.length === 0) return { status: 'ready', reasons: [], checks };
    response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return { status: 'unavailable', reasons: failed.map(({ name, reason }) => reason ?? name), checks };
  }
}

/** For Prometheus (`docs/spec/README.md#addresses`). */
@Controller('metrics')
class MetricsController {
  constructor(@Inject(PARTS) private readonly parts: CompanionParts) {}

  @Get()
  async metrics(@Res() response: Response): Promise<void> {
    const { contentType, body } = await this.parts.metrics.text();
    response.writeHead(HttpStatus.OK, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body);
  }
}

@Module({})
export class CompanionModule {
  static of(parts: CompanionParts): DynamicModule {
    return {
      module: CompanionModule,
      controllers: [HealthController, MetricsController],
      providers: [{ provide: PARTS, useValue: parts }],
    };
  }
}
