import { Controller, Inject, Post, Res } from '@nestjs/common';
import {
  EXECUTE_BODY,
  executeAndReport,
  LAST_TRANSACTION_BODY,
  QUERY_BODY,
  WIRE_PATHS,
  type AnnulReaction,
  type ExecuteBody,
  type InquiryReaction,
  type LastTransactionBody,
  type QueryBody,
  type Sandbox,
} from '@tillstream/sandbox';
import type { Response } from 'express';
import { LineWriter, respond } from './http/line.writer.js';
import { WireBody } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The acquirer over the network. It is silent, waits or answers late, as its tables say. */
@Controller()
export class AcquirerController {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  @Post(WIRE_PATHS.execute)
  async execute(@WireBody(EXECUTE_BODY) { request }: ExecuteBody, @Res() response: Response): Promise<void> {
    const { key } = request;
    const lines = new LineWriter(response);
    await executeAndReport(this.sandbox, request, (heard) => lines.line({ key, heard }), lines.closed);
    lines.end();
  }

  @Post(WIRE_PATHS.refuses)
  refuses(@WireBody(EXECUTE_BODY) { request }: ExecuteBody, @Res() response: Response): void {
    respond(response, { refuses: this.sandbox.acquirer.refusesConnection(request) });
  }

  @Post(WIRE_PATHS.inquire)
  inquire(@WireBody(QUERY_BODY) { key, account }: QueryBody, @Res() response: Response): void {
    respondWithResult(response, key, this.sandbox.acquirer.inquire(key, account));
  }

  @Post(WIRE_PATHS.annul)
  annul(@WireBody(QUERY_BODY) { key, account }: QueryBody, @Res() response: Response): void {
    respondWithResult(response, key, this.sandbox.acquirer.annul(key, account));
  }

  @Post(WIRE_PATHS.lastTransaction)
  lastTransaction(
    @WireBody(LAST_TRANSACTION_BODY) { key, account, terminalId }: LastTransactionBody,
    @Res() response: Response,
  ): void {
    respondWithResult(response, key, this.sandbox.acquirer.lastTransaction(terminalId, key, account));
  }
}

/** For `NoAnswer` closes the connection without a response. */
function respondWithResult(response: Response, key: string, found: InquiryReaction | AnnulReaction): void {
  if (found.kind === 'NoAnswer') response.destroy();
  else respond(response, { key, found });
}
