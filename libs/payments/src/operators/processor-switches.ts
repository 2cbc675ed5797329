import {
  foldProcessorSwitch,
  processorSwitchCodec,
  processorSwitchStream,
  resumeProcessor,
  stopProcessor,
  type ProcessorSwitchDecision,
  type ProcessorSwitchState,
} from '@tillstream/domain';
import { readWholeStream, transact, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { Actor } from '../requests/request.types.js';

export type StoppedProcessor = NonNullable<ProcessorSwitchState['stopped']>;

/** Who turned a switch, and on whose trace. */
export interface SwitchChange {
  readonly actor: Actor;
  readonly traceId?: string;
  readonly reason?: string;
  /** Repeated, nothing is done a second time. */
  readonly commandId?: string;
}

/** The switches by which operators stop sending to a processor. Durable, and the same on every instance. */
export interface ProcessorSwitches {
  /** As the store has it now. */
  readStop(processor: string): Promise<StoppedProcessor | undefined>;
  /** @throws RangeError where the reason is none: shells look before. */
  stop(
    processor: string,
    turn: SwitchChange & { readonly reason: string },
  ): Promise<StoppedProcessor | undefined>;
  resume(processor: string, turn: SwitchChange): Promise<StoppedProcessor | undefined>;
  /**
   * The reason, at once where it was read within the last 2 s. Rejects where it can't be told. What stops one instance
   * stops all of them within that time.
   */
  stopReason(processor: string): string | undefined | Promise<string | undefined>;
}

/** What is older is read anew beside the work … */
const FRESH_MS = 1_000;
/** … and from here on nothing is done before that. */
const CACHE_MS = 2_000;

interface CachedStop {
  /** When the reading began, monotonic. */
  readonly at: number;
  readonly stopped: StoppedProcessor | undefined;
}

export class StreamProcessorSwitches implements ProcessorSwitches {
  /** One for each processor that is configured. */
  private readonly cachedStops = new Map<string, CachedStop>();
  private readonly reading = new Map<string, Promise<CachedStop>>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async readStop(processor: string): Promise<StoppedProcessor | undefined> {
    return (await this.read(processor)).stopped;
  }

  stop(
    processor: string,
    { reason, ...turn }: SwitchChange & { readonly reason: string },
  ): Promise<StoppedProcessor | undefined> {
    return this.change(processor, { ...turn, reason }, (state, command) =>
      stopProcessor(state, { ...command, reason }),
    );
  }

  resume(processor: string, turn: SwitchChange): Promise<StoppedProcessor | undefined> {
    const { reason } = turn;
    return this.change(processor, turn, (state, command) =>
      resumeProcessor(state, { ...command, ...(reason !== undefined && { reason }) }),
    );
  }

  stopReason(processor: string): string | undefined | Promise<string | undefined> {
    const belief = this.cachedStops.get(processor);
    const age = belief ? this.clock.monotonicNow() - belief.at : Number.POSITIVE_INFINITY;
    if (!belief || age >= CACHE_MS) return this.readOnce(processor).then(({ stopped }) => stopped?.reason);
    // Should that fail, what is believed still holds for a while.
    if (age >= FRESH_MS) this.readOnce(processor).catch(() => undefined);
    return belief.stopped?.reason;
  }

  private readOnce(processor: string): Promise<CachedStop> {
    const known = this.reading.get(processor);
    if (known) return known;
    const reading = this.read(processor).finally(() => this.reading.delete(processor));
    this.reading.set(processor, reading);
    return reading;
  }

  private async read(processor: string): Promise<CachedStop> {
    const at = this.clock.monotonicNow();
    const history = await readWholeStream(this.store, processorSwitchStream(processor));
    return this.cache(processor, at, stateOf(history));
  }

  private async change(
    processor: string,
    { actor, traceId, reason, commandId = newCommandId() }: SwitchChange,
    decide: (
      state: ProcessorSwitchState,
      command: {
        readonly at: string;
        readonly commandId: string;
        readonly processor: string;
        readonly by: string;
      },
    ) => ProcessorSwitchDecision,
  ): Promise<StoppedProcessor | undefined> {
    const { clock } = this;
    const began = clock.monotonicNow();
    const cause = {
      merchantId: '',
      actor,
      causationId: commandId,
      ...(traceId !== undefined && { traceId }),
      ...(reason !== undefined && { reason }),
    };
    const result = await transact(this.store, {
      stream: processorSwitchStream(processor),
      attempts: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const command = { at: iso(clock.now()), commandId, processor, by: actor.name };
        const decision = decide(stateOf(history), command);
        if (decision.kind === 'Rejected') throw new RangeError(decision.rejection.message);
        return {
          events: toNewEvents(processorSwitchCodec, decision.events, cause, clock),
          value: undefined,
        };
      },
    });
    if (result.kind === 'Conflict') throw new Error('a switch is turned until it is written');
    return this.cache(processor, began, stateOf(result.history)).stopped;
  }

  /** A reading that began earlier may end later: it does not take the place of a newer one. */
  private cache(processor: string, at: number, { stopped }: ProcessorSwitchState): CachedStop {
    const belief = { at, stopped };
    const known = this.cachedStops.get(processor);
    if (!known || known.at <= at) this.cachedStops.set(processor, belief);
    return belief;
  }
}

function stateOf(history: readonly RecordedEvent[]): ProcessorSwitchState {
  return foldProcessorSwitch(history.map((recorded) => fromRecorded(processorSwitchCodec, recorded)));
}
