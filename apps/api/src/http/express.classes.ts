import type { Express } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';

interface ExpressClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes for Node's HTTP server: their instances have Express's prototypes when they are created.
 *
 * Express sets the prototype of each request and response that it receives. V8 then keeps every one of them, with all that
 * it refers to, until the next full collection. An object that already has the prototype is left as it is.
 */
export function expressClasses(app: Express): ExpressClasses {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express['request'];
  app.response = ExpressResponse.prototype as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
