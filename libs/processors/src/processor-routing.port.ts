import type { Channel, Currency } from '@tillstream/domain';
import type { Processor } from './processor.port.js';

/** What decides where a new attempt goes. */
export interface AttemptOrigin {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly currency: Currency;
}

/** A processor's name, and the merchant's account with it: data that every attempt keeps. */
export interface ProcessorRoute {
  readonly processor: string;
  readonly account: string;
}

/**
 * All processors of this service. New attempts follow the routes of today; every later question about an attempt goes to
 * the processor whose name the attempt kept, whatever the routes say then.
 */
export interface Processors {
  /** Where a new attempt goes. Undefined: no route fits, so nothing can be sent. */
  route(origin: AttemptOrigin): ProcessorRoute | undefined;
  /** Undefined: no processor of this name is configured now. No other one is ever asked in its place. */
  named(name: string): Processor | undefined;
}
