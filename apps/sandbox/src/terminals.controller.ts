import { Controller, Inject, Post, Res } from '@nestjs/common';
import {
  ACT_BODY,
  NO_BODY,
  SET_TERMINAL_BODY,
  TERMINAL_BODY,
  WIRE_PATHS,
  type AboutLine,
  type ActBody,
  type SetTerminalBody,
  type StandaloneSandbox,
  type TerminalBody,
} from '@tillstream/sandbox';
import type { Response } from 'express';
import { respond } from './http/line.writer.js';
import { WireBody } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The simulated terminals and their customers. */
@Controller()
export class TerminalsController {
  constructor(@Inject(SANDBOX) private readonly sandbox: StandaloneSandbox) {}

  @Post(WIRE_PATHS.terminal)
  get(@WireBody(TERMINAL_BODY) { terminalId }: TerminalBody, @Res() response: Response): void {
    respond(response, { terminal: this.sandbox.terminals.get(terminalId) });
  }

  @Post(WIRE_PATHS.setTerminal)
  set(
    @WireBody(SET_TERMINAL_BODY) { terminalId, ...settings }: SetTerminalBody,
    @Res() response: Response,
  ): void {
    respond(response, { terminal: this.sandbox.terminals.set(terminalId, settings) });
  }

  @Post(WIRE_PATHS.act)
  act(@WireBody(ACT_BODY) { terminalId, act }: ActBody, @Res() response: Response): void {
    respond(response, { terminal: this.sandbox.customers.act(terminalId, act) });
  }

  @Post(WIRE_PATHS.screen)
  screen(@WireBody(TERMINAL_BODY) { terminalId }: TerminalBody, @Res() response: Response): void {
    respond(response, { screen: this.sandbox.customers.screen(terminalId) });
  }

  @Post(WIRE_PATHS.about)
  about(@WireBody(NO_BODY) _body: object, @Res() response: Response): void {
    const { processorDeadlineMs, clock } = this.sandbox;
    respond(response, {
      service: 'tillstream-sandbox',
      processorDeadlineMs,
      clockOffsetMs: clock.offsetMs(),
    } satisfies Omit<AboutLine, 'callId'>);
  }
}
