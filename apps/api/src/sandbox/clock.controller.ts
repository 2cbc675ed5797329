import { Controller, Get, Inject, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SandboxClockMoved, SandboxClockReading } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { Callers } from '../access/callers.js';
import { DUE_WORK, SANDBOX } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { requestBody } from '../validation/request.body.js';
import { pendingIn, settled, type DueWork } from './clock.due-work.js';
import { MoveClockDto } from './sandbox.dto.js';
import { attemptMove } from './sandbox.refusal.js';
import { SANDBOX_CLOCK_ENDPOINTS } from './sandbox.docs.js';

const SETTLE_WITHIN_MS = 30_000;

/** Moves the service's clock, which sandbox mode allows (`docs/spec/sandbox.md#clock`). */
@ApiTags('Sandbox')
@Controller('admin/v1/sandbox/clock')
@Callers('AdminKey')
export class SandboxClockController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    @Inject(DUE_WORK) private readonly dueWork: readonly DueWork[],
    private readonly kept: KeptAnswers,
  ) {}

  @Get()
  @OperatorEndpoint(SANDBOX_CLOCK_ENDPOINTS.reading)
  reading(@Req() request: ApiRequest): SandboxClockReading {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    return this.now();
  }

  @Post()
  @OperatorEndpoint(SANDBOX_CLOCK_ENDPOINTS.move)
  async move(@Req() request: ApiRequest): Promise<Answer> {
    const asked = await requestBody(request, MoveClockDto);
    return this.kept.once(request, asked, () => this.moved(asked.body));
  }

  private async moved({ advanceSeconds, to, settle = true }: MoveClockDto): Promise<SandboxClockMoved> {
    const { clock } = this.sandbox;
    const now = () => this.now().now;
    if (to === undefined) {
      const received = `${advanceSeconds} at ${now()}`;
      await attemptMove({ field: 'advanceSeconds', received, now }, () => clock.advance(advanceSeconds ?? 0));
    } else {
      const time = new Date(to);
      await attemptMove({ field: 'to', received: time.toISOString(), now }, () => clock.to(time.getTime()));
    }
    const done = settle
      ? await settled(this.dueWork, SETTLE_WITHIN_MS)
      : { ran: 0, pending: await pendingIn(this.dueWork) };
    return { ...this.now(), ...done };
  }

  private now(): SandboxClockReading {
    const now = new Date(this.sandbox.clock.now()).toISOString();
    return { now, offsetSeconds: this.sandbox.clock.offsetSeconds() };
  }
}
