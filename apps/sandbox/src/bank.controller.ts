import { Controller, Inject, Post, Res } from '@nestjs/common';
import {
  CLAIM_MESSAGES_BODY,
  NO_BODY,
  SETTLE_MESSAGES_BODY,
  WIRE_PATHS,
  type ClaimMessagesBody,
  type Sandbox,
  type SettleMessagesBody,
} from '@tillstream/sandbox';
import type { Response } from 'express';
import { respond } from './http/line.writer.js';
import { WireBody } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The messages of the simulated bank. */
@Controller()
export class BankController {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  @Post(WIRE_PATHS.claimMessages)
  claim(@WireBody(CLAIM_MESSAGES_BODY) { messagesMax }: ClaimMessagesBody, @Res() response: Response): void {
    respond(response, { messages: this.sandbox.bank.claimMessages(messagesMax) });
  }

  /** Responds with the count of messages that are still due. */
  @Post(WIRE_PATHS.settleMessages)
  settle(@WireBody(SETTLE_MESSAGES_BODY) delivered: SettleMessagesBody, @Res() response: Response): void {
    this.sandbox.bank.settleMessages(delivered);
    respond(response, { due: this.sandbox.bank.countDueMessages() });
  }

  @Post(WIRE_PATHS.countMessages)
  count(@WireBody(NO_BODY) _body: object, @Res() response: Response): void {
    respond(response, { due: this.sandbox.bank.countDueMessages() });
  }
}
