import type { Processor } from './processor.port.js';
import type { AttemptOrigin, ProcessorRoute, Processors } from './processor-routing.port.js';

/** A route for all attempts that fit; what is left out fits any. */
export interface RouteRule extends Partial<AttemptOrigin>, ProcessorRoute {}

/** Processors by name, and an ordered list of routes: the first rule that fits an attempt decides. */
export class RoutedProcessors implements Processors {
  private readonly byName: ReadonlyMap<string, Processor>;

  /** @throws RangeError for two processors of one name, or a route to one that is not among them. */
  constructor(
    processors: readonly Processor[],
    private readonly rules: readonly RouteRule[],
  ) {
    this.byName = new Map(processors.map((processor) => [processor.name, processor]));
    if (this.byName.size < processors.length) throw new RangeError('two processors have the same name');
    const lost = rules.find(({ processor }) => !this.byName.has(processor));
    if (lost) throw new RangeError(`a route leads to "${lost.processor}", which is not configured`);
  }

  route(origin: AttemptOrigin): ProcessorRoute | undefined {
    return this.rules.find((rule) => fits(rule, origin));
  }

  named(name: string): Processor | undefined {
    return this.byName.get(name);
  }
}

function fits(rule: RouteRule, { merchantId, channel, currency }: AttemptOrigin): boolean {
  return (
    (rule.merchantId ?? merchantId) === merchantId &&
    (rule.channel ?? channel) === channel &&
    (rule.currency ?? currency) === currency
  );
}
