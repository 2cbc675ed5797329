import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import type { ApiResponse } from './api.request.js';
import { expressClasses } from './express.classes.js';
import { JsonResponse, sendJson } from './json.response.js';

/**
 * Express under Nest. Nest fixes the status of a method's response before it runs, 201 for a POST; here each result has
 * 200 unless it is a `JsonResponse` with a status of its own.
 */
export class JsonAdapter extends ExpressAdapter {
  constructor() {
    const server = express();
    server.disable('x-powered-by');
    server.disable('etag');
    server.enable('case sensitive routing');
    server.enable('strict routing');
    super(server);
  }

  /** Node's own response to a missing Host header has no envelope: `requireHost` sends ours. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    this.httpServer = createServer({ requireHostHeader: false, ...expressClasses(app) }, app);
  }

  override reply(response: ApiResponse, body: object): void {
    sendJson(response, body instanceof JsonResponse ? body : JsonResponse.ok(body));
  }
}
