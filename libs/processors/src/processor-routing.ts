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

/** A route for all attempts that match. A criterion that is left out matches every attempt. */
export interface RouteRule extends Partial<AttemptOrigin>, ProcessorRoute {}

/** Processors by name, and an ordered list of rules: the first one that matches an attempt decides. */
export class RoutedProcessors implements Processors {
  private readonly byName: ReadonlyMap<string, Processor>;

  /** @throws RangeError if two processors have the same name, or a rule names a processor that is not among them */
  constructor(
    processors: readonly Processor[],
    private readonly rules: readonly RouteRule[],
  ) {
    this.byName = new Map(processors.map((processor) => [processor.name, processor]));
    if (this.byName.size < processors.length) throw new RangeError('two processors have the same name');
    const unknown = rules.find(({ processor }) => !this.byName.has(processor));
    if (unknown) throw new RangeError(`a route leads to "${unknown.processor}", which is not configured`);
  }

  route({ merchantId, channel, currency }: AttemptOrigin): ProcessorRoute | undefined {
    return this.rules.find(
      (rule) =>
        (rule.merchantId ?? merchantId) === merchantId &&
        (rule.channel ?? channel) === channel &&
        (rule.currency ?? currency) === currency,
    );
  }

  named(name: string): Processor | undefined {
    return this.byName.get(name);
  }
}
