import type { Express } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';

interface ExchangeClasses {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/**
 * Classes for Node's server, whose instances are Express's requests and responses from their birth.
 *
 * Express sets the prototype of each request and response that it is handed. V8 then keeps all of them, and whatever
 * hangs on them, beyond the young generation: the whole of each payment was copied twice, and the old generation had to
 * be collected every few seconds, for a tenth of a second. An object that has that prototype already is left alone.
 */
export function exchangeClasses(app: Express): ExchangeClasses {
  class BornRequest extends IncomingMessage {}
  class BornResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(BornRequest.prototype, app.request);
  Object.setPrototypeOf(BornResponse.prototype, app.response);
  app.request = BornRequest.prototype as Express['request'];
  app.response = BornResponse.prototype as Express['response'];
  return { IncomingMessage: BornRequest, ServerResponse: BornResponse };
}
