import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Sandbox } from '@tillstream/sandbox';
import type { Response } from 'express';
import { WithoutSecret } from './access/secret.guard.js';
import { GATE, SANDBOX, type ReadinessGate } from './sandbox.parts.js';

@Controller('health')
@WithoutSecret()
export class HealthController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: Sandbox,
    @Inject(GATE) private readonly gate: ReadinessGate,
  ) {}

  @Get('live')
  live(@Res() response: Response): void {
    response.json({ status: 'live' });
  }

  /** 503 with a reason if the ledger can't be written. */
  @Get('ready')
  ready(@Res() response: Response): void {
    const reason = this.gate.closedBecause ?? this.sandbox.unavailableReason();
    if (reason === undefined) response.json({ status: 'ready', reasons: [] });
    else response.status(503).json({ status: 'unavailable', reasons: [reason] });
  }
}
