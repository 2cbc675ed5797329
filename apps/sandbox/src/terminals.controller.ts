import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import {
  ACT_BODY,
  NO_BODY,
  SET_TERMINAL_BODY,
  TERMINAL_BODY,
  WIRE_PATHS,
  type AboutLine,
  type ActBody,
  type SetTerminalBody,
  type TerminalBody,
  type StandaloneSandbox,
} from '@tillstream/sandbox';
import { LineWriter } from './http/line.writer.js';
import { readBody, type WireRequest, type WireResponse } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The simulated terminals and their customers. */
@Controller()
export class TerminalsController {
  constructor(@Inject(SANDBOX) private readonly sandbox: StandaloneSandbox) {}

  @Post(WIRE_PATHS.terminal)
  async get(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { terminalId } = await readBody<TerminalBody>(request, TERMINAL_BODY);
    respond(request, response, { terminal: this.sandbox.terminals.get(terminalId) });
  }

  @Post(WIRE_PATHS.setTerminal)
  async set(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { terminalId, ...settings } = await readBody<SetTerminalBody>(request, SET_TERMINAL_BODY);
    respond(request, response, { terminal: this.sandbox.terminals.set(terminalId, settings) });
  }

  @Post(WIRE_PATHS.act)
  async act(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { terminalId, act } = await readBody<ActBody>(request, ACT_BODY);
    respond(request, response, { terminal: this.sandbox.customers.act(terminalId, act) });
  }

  @Post(WIRE_PATHS.screen)
  async screen(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { terminalId } = await readBody<TerminalBody>(request, TERMINAL_BODY);
    respond(request, response, { screen: this.sandbox.customers.screen(terminalId) });
  }

  @Post(WIRE_PATHS.about)
  async about(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    await readBody(request, NO_BODY);
    const { processorDeadlineMs, clock } = this.sandbox;
    const about: Omit<AboutLine, 'callId'> = {
      service: 'tillstream-sandbox',
      processorDeadlineMs,
      clockOffsetMs: clock.offsetMs(),
    };
    respond(request, response, about);
  }
}

function respond({ callId }: WireRequest, response: WireResponse, content: object): void {
  new LineWriter(response, callId).respond(content);
}
