import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { Answer, writeAnswer } from './answer.js';
import type { ApiResponse } from './api.request.js';
import { exchangeClasses } from './exchange.classes.js';

/** Express under Nest, without what it adds to responses: no ETag, no `x-powered-by`, no guessed content type. */
export class AnswerAdapter extends ExpressAdapter {
  constructor() {
    const server = express();
    server.disable('x-powered-by');
    server.disable('etag');
    server.enable('case sensitive routing');
    server.enable('strict routing');
    super(server);
  }

  /** Without Node's own answer to a missing Host header: `requireHost` gives it. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    this.httpServer = createServer({ requireHostHeader: false, ...exchangeClasses(app) }, app);
  }

  override reply(response: ApiResponse, body: object): void {
    writeAnswer(response, body instanceof Answer ? body : Answer.ok(body));
  }
}
