import type { Channel, Currency } from '@tillstream/domain';
import type { Processor } from './processor.port.js';

/** The route of a new attempt depends on these. */
export interface AttemptOrigin {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly currency: Currency;
}

/** A processor's name, and the merchant's account with it. Every attempt stores both. */
export interface ProcessorRoute {
  readonly processor: string;
  readonly account: string;
}

/**
 * All processors of this service. The configured routes decide where a new attempt goes. Later inquiries about an attempt
 * go to the processor that the attempt names, even if the routes have changed.
 */
export interface Processors {
  /** Undefined: no route fits, so the attempt can't be sent. */
  route(origin: AttemptOrigin): ProcessorRoute | undefined;
  /** Undefined: no processor of this name is configured. No other processor may take its place. */
  named(name: string): Processor | undefined;
}
