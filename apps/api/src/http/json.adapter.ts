import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type ServerOptions,
} from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import type { ListPage } from '@tillstream/contracts';
import { sendCsv } from '../csv/csv.response.js';
import type { ApiRequest, ApiResponse } from './api.request.js';
import { JsonPage } from './json.page.js';
import { JsonResponse, sendJson } from './json.response.js';

/**
 * Express under Nest. Nest fixes the status of a method's response before it runs, 201 for a POST; here each result has
 * 200 unless it is a `JsonResponse` with a status of its own.
 */
export class JsonAdapter extends ExpressAdapter {
  private isStopping = false;

  /** @param trustedProxies Addresses and networks: `request.ip` is the last address before them in `X-Forwarded-For`. */
  constructor(trustedProxies: readonly string[] = []) {
    const server = express();
    server.disable('x-powered-by');
    server.disable('etag');
    server.enable('case sensitive routing');
    server.enable('strict routing');
    server.set('trust proxy', trustedProxies);
    super(server);
  }

  /** Node's own response to a missing Host header has no envelope: `requireHost` sends ours. */
  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    const classes = expressClasses(app, () => this.isStopping);
    this.httpServer = createServer({ requireHostHeader: false, ...classes }, app);
  }

  /**
   * From now on each response is the last one of its connection, those of requests in progress too. Otherwise a client
   * could send a request on a connection that the stop closes at that moment, and not know whether it was executed.
   */
  endConnections(): void {
    this.isStopping = true;
  }

  override async reply(response: ApiResponse, result: object): Promise<void> {
    const { responder, csvColumns, turn } = response.req as ApiRequest;
    const ended = responder && (await responder.ofResult(result));
    // A client that reads slowly keeps no other request of its merchant waiting.
    turn?.end();
    if (ended) return sendJson(response, ended);
    if (csvColumns) return sendCsv(response, csvColumns, result as ListPage<unknown> | JsonPage);
    sendJson(response, jsonResponse(result));
  }
}

function jsonResponse(result: object): JsonResponse {
  if (result instanceof JsonPage) return result.response;
  return result instanceof JsonResponse ? result : JsonResponse.ok(result);
}

type HeadArgument = string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined;

/**
 * Classes for Node's HTTP server: their instances have Express's prototypes when they are created.
 *
 * Express sets the prototype of each request and response that it receives. V8 then keeps every one of them, with all that
 * it refers to, until the next full collection. An object that already has the prototype is left as it is.
 */
function expressClasses(app: Express, isLastResponse: () => boolean): ServerOptions {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: readonly HeadArgument[]): this {
      if (isLastResponse()) this.shouldKeepAlive = false;
      return super.writeHead(status, ...(rest as readonly [OutgoingHttpHeaders?]));
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express['request'];
  app.response = ExpressResponse.prototype as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
