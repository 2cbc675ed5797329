import { Controller, Get, HttpStatus, Inject, Module, Res, type DynamicModule } from '@nestjs/common';
import type { Liveness, Readiness } from '@tillstream/contracts';
import type { Response } from 'express';

export interface DispatcherParts {
  /** Why nothing can be delivered now; empty if it can. */
  notReady(): Promise<readonly string[]>;
  /** Why the process is not ready, during the start and the stop. */
  closedBecause: string | undefined;
}

/** Injection token, because Nest can't inject interfaces by type. */
const PARTS = Symbol('DispatcherParts');

@Controller('health')
class HealthController {
  constructor(@Inject(PARTS) private readonly parts: DispatcherParts) {}

  @Get('live')
  live(): Liveness {
    return { status: 'live' };
  }

  /** 503 with reasons if the process can't deliver now. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const { closedBecause } = this.parts;
    const reasons = closedBecause === undefined ? await this.parts.notReady() : [closedBecause];
    const name = closedBecause === undefined ? 'stores' : 'start';
    if (reasons.length === 0) return { status: 'ready', reasons: [], checks: [{ name, state: 'ok' }] };
    response.status(HttpStatus.SERVICE_UNAVAILABLE);
    const checks = reasons.map((reason) => ({ name, state: 'failed' as const, reason }));
    return { status: 'unavailable', reasons: [...reasons], checks };
  }
}

@Module({})
export class DispatcherModule {
  static of(parts: DispatcherParts): DynamicModule {
    return {
      module: DispatcherModule,
      controllers: [HealthController],
      providers: [{ provide: PARTS, useValue: parts }],
    };
  }
}
