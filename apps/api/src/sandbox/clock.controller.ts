import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SandboxClockMoved, SandboxClockReading } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { ClockMoveError } from '@tillstream/payments';
import { DUE_WORK, SANDBOX } from '../api.parts.js';
import { invalidFields } from '../http/api.error.js';
import { OperatorApi } from '../http/endpoint.decorators.js';
import { invalidField } from '../validation/body.check.js';
import { pendingIn, settled, type DueWork } from './clock.due-work.js';
import { MoveClockDto } from './sandbox.dto.js';
import { SANDBOX_CLOCK_ENDPOINTS } from './sandbox.docs.js';

const SETTLE_WITHIN_MS = 30_000;

/** Moves the service's clock, which sandbox mode allows (`docs/spec/sandbox.md#clock`). */
@ApiTags('Sandbox')
@Controller('admin/v1/sandbox/clock')
@OperatorApi(SANDBOX_CLOCK_ENDPOINTS)
export class SandboxClockController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    @Inject(DUE_WORK) private readonly dueWork: readonly DueWork[],
  ) {}

  @Get()
  getSandboxClock(): SandboxClockReading {
    return this.now();
  }

  @Post()
  async moveSandboxClock(
    @Body() { advanceSeconds, to, settle = true }: MoveClockDto,
  ): Promise<SandboxClockMoved> {
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

/** The move of the clock that was requested. */
interface Move {
  readonly field: string;
  readonly received: string;
  readonly now: () => string;
}

const LAST_TIME = '9999-12-31';

/** Makes a refused move an error of the field that requested it; any other error passes through. */
async function attemptMove({ field, received, now }: Move, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof ClockMoveError)) throw error;
    const allowed = error.code === 'Backwards' ? `a time after ${now()}` : `no time after ${LAST_TIME}`;
    const details = `received ${received}, allowed ${allowed}`;
    throw invalidFields([invalidField(field, `${field} is refused: ${error.message}.`, details)]);
  }
}
