import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import {
  EXECUTE_BODY,
  LAST_TRANSACTION_BODY,
  QUESTION_BODY,
  tellOf,
  WIRE_PATHS,
  type ExecuteBody,
  type FoundLine,
  type InquiryReaction,
  type LastTransactionBody,
  type QuestionBody,
  type Sandbox,
} from '@tillstream/sandbox';
import { LineWriter } from './http/line.writer.js';
import { bodyOf, type WireRequest, type WireResponse } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The acquirer, over the network: it keeps silent, waits and answers late as it is told to by its tables. */
@Controller()
export class AcquirerController {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  @Post(WIRE_PATHS.execute)
  async execute(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { request: asked } = await bodyOf<ExecuteBody>(request, EXECUTE_BODY);
    const lines = new LineWriter(response, request.callId);
    await tellOf(this.sandbox, asked, (heard) => lines.line({ key: asked.key, heard }), lines.gone);
    lines.end();
  }

  @Post(WIRE_PATHS.refuses)
  async refuses(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { request: asked } = await bodyOf<ExecuteBody>(request, EXECUTE_BODY);
    const refuses = this.sandbox.closedDoor.refuses(asked);
    new LineWriter(response, request.callId).only({ refuses });
  }

  @Post(WIRE_PATHS.inquire)
  async inquire(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { key, account } = await bodyOf<QuestionBody>(request, QUESTION_BODY);
    found(request, response, key, this.sandbox.acquirer.inquire(key, account));
  }

  @Post(WIRE_PATHS.annul)
  async annul(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { key, account } = await bodyOf<QuestionBody>(request, QUESTION_BODY);
    found(request, response, key, this.sandbox.acquirer.annul(key, account));
  }

  @Post(WIRE_PATHS.lastTransaction)
  async lastTransaction(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { key, account, terminalId } = await bodyOf<LastTransactionBody>(request, LAST_TRANSACTION_BODY);
    found(request, response, key, this.sandbox.acquirer.lastTransaction(terminalId, key, account));
  }
}

/** No answer is no answer: the connection is closed. */
function found(
  { callId }: WireRequest,
  response: WireResponse,
  key: string,
  reaction: FoundLine['found'] | Extract<InquiryReaction, { kind: 'NoAnswer' }>,
): void {
  if (reaction.kind === 'NoAnswer') response.destroy();
  else new LineWriter(response, callId).only({ key, found: reaction });
}
