import {
  ProcessorSwitches,
  type Clock,
  type StoppedProcessor,
  type SwitchChange,
} from '@tillstream/payments';
import {
  CircuitBreaker,
  GuardedProcessor,
  type BreakerSettings,
  type BreakerState,
  RoutedProcessors,
  type AttemptOrigin,
  type CallObserver,
  type Processor,
  type ProcessorRoute,
  type Processors,
  type RouteRule,
} from '@tillstream/processors';
import type { EventStore } from '@tillstream/event-store';
import type { Log } from '../logging/log.js';

/** `state`: the breaker of this instance. `readStop`: the processor switch of all instances. */
export interface ProcessorStatus {
  readonly name: string;
  readonly state: BreakerState;
  readonly stopped?: StoppedProcessor;
}

export interface ProcessorGuardDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly breaker: BreakerSettings;
  readonly log: Pick<Log, 'info' | 'error'>;
  observe(processor: string): CallObserver;
}

/** The processors of this service, each behind its breaker and its switch, and the routes to them. */
export class ProcessorGuards implements Processors {
  private readonly switches: ProcessorSwitches;
  private readonly guarded: ReadonlyMap<string, GuardedProcessor>;
  private readonly routed: RoutedProcessors;

  /** @throws RangeError as `RoutedProcessors` */
  constructor(
    private readonly parts: ProcessorGuardDependencies,
    processors: readonly Processor[],
    routes: readonly RouteRule[],
  ) {
    this.switches = new ProcessorSwitches(parts);
    const guarded = processors.map((processor) => this.guard(processor));
    this.guarded = new Map(guarded.map((processor) => [processor.name, processor]));
    this.routed = new RoutedProcessors(guarded, routes);
  }

  route(origin: AttemptOrigin): ProcessorRoute | undefined {
    return this.routed.route(origin);
  }

  named(name: string): Processor | undefined {
    return this.guarded.get(name);
  }

  private guard(processor: Processor): GuardedProcessor {
    const { name } = processor;
    const { breaker, clock, log, observe } = this.parts;
    const logState = (state: BreakerState): void => {
      if (state === 'Open') log.error('processor-not-answering', { reason: name });
      if (state === 'Closed') log.info('processor-answers-again', { reason: name });
    };
    return new GuardedProcessor(processor, {
      breaker: new CircuitBreaker(breaker, () => clock.monotonicNow(), logState),
      stopReason: () => this.switches.stopReason(name),
      observer: observe(name),
    });
  }

  has(name: string): boolean {
    return this.guarded.has(name);
  }

  /** Rejects if the store can't be read. */
  status(): Promise<readonly ProcessorStatus[]> {
    return Promise.all([...this.guarded.keys()].map((name) => this.statusOf(name)));
  }

  async statusOf(name: string): Promise<ProcessorStatus> {
    return this.withStopped(name, await this.switches.readStop(name));
  }

  /** The breakers of this instance, without reading the store. */
  states(): readonly Pick<ProcessorStatus, 'name' | 'state'>[] {
    return [...this.guarded].map(([name, { breakerState: state }]) => ({ name, state }));
  }

  async stop(name: string, turn: SwitchChange & { readonly reason: string }): Promise<ProcessorStatus> {
    return this.withStopped(name, await this.switches.stop(name, turn));
  }

  async resume(name: string, turn: SwitchChange): Promise<ProcessorStatus> {
    return this.withStopped(name, await this.switches.resume(name, turn));
  }

  private withStopped(name: string, stopped: StoppedProcessor | undefined): ProcessorStatus {
    const state = this.guarded.get(name)?.breakerState ?? 'Closed';
    return { name, state, ...(stopped && { stopped }) };
  }
}
