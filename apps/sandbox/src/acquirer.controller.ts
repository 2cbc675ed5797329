import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import {
  EXECUTE_BODY,
  LAST_TRANSACTION_BODY,
  QUERY_BODY,
  executeAndReport,
  WIRE_PATHS,
  type ExecuteBody,
  type QueryResultLine,
  type InquiryReaction,
  type LastTransactionBody,
  type QueryBody,
  type Sandbox,
} from '@tillstream/sandbox';
import { LineWriter } from './http/line.writer.js';
import { readBody, type WireRequest, type WireResponse } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The acquirer over the network. It is silent, waits or answers late, as its tables say. */
@Controller()
export class AcquirerController {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  @Post(WIRE_PATHS.execute)
  async execute(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { request: payment } = await readBody<ExecuteBody>(request, EXECUTE_BODY);
    const lines = new LineWriter(response, request.callId);
    await executeAndReport(
      this.sandbox,
      payment,
      (heard) => lines.line({ key: payment.key, heard }),
      lines.closed,
    );
    lines.end();
  }

  @Post(WIRE_PATHS.refuses)
  async refuses(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { request: payment } = await readBody<ExecuteBody>(request, EXECUTE_BODY);
    const refuses = this.sandbox.acquirer.refusesConnection(payment);
    new LineWriter(response, request.callId).respond({ refuses });
  }

  @Post(WIRE_PATHS.inquire)
  async inquire(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { key, account } = await readBody<QueryBody>(request, QUERY_BODY);
    respondWithResult(request, response, key, this.sandbox.acquirer.inquire(key, account));
  }

  @Post(WIRE_PATHS.annul)
  async annul(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { key, account } = await readBody<QueryBody>(request, QUERY_BODY);
    respondWithResult(request, response, key, this.sandbox.acquirer.annul(key, account));
  }

  @Post(WIRE_PATHS.lastTransaction)
  async lastTransaction(@Req() request: WireRequest, @Res() response: WireResponse): Promise<void> {
    const { key, account, terminalId } = await readBody<LastTransactionBody>(request, LAST_TRANSACTION_BODY);
    respondWithResult(
      request,
      response,
      key,
      this.sandbox.acquirer.lastTransaction(terminalId, key, account),
    );
  }
}

/** For `NoAnswer` closes the connection without a response. */
function respondWithResult(
  { callId }: WireRequest,
  response: WireResponse,
  key: string,
  reaction: QueryResultLine['found'] | Extract<InquiryReaction, { kind: 'NoAnswer' }>,
): void {
  if (reaction.kind === 'NoAnswer') response.destroy();
  else new LineWriter(response, callId).respond({ key, found: reaction });
}
