import {
  foldProcessorSwitch,
  processorSwitchCodec,
  processorSwitchStream,
  resumeProcessor,
  stopProcessor,
  type ProcessorResumed,
  type ProcessorSwitchDecision,
  type ProcessorSwitchState,
} from '@tillstream/domain';
import { readWholeStream, transact, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { iso, type Clock } from '../ports/clock.port.js';
import { fromRecorded, toNewEvents } from '../stream-repository/event-metadata.js';
import { newCommandId } from '../identifiers.js';
import type { Actor } from '../requests/request.types.js';

export type StoppedProcessor = NonNullable<ProcessorSwitchState['stopped']>;

export interface SwitchChange {
  readonly actor: Actor;
  readonly traceId?: string | undefined;
  readonly reason?: string | undefined;
  /** A change with the id of an earlier change has no effect. */
  readonly commandId?: string | undefined;
}

/** Operators' stops of new attempts to a processor. Durable, and the same on every instance. */
export interface ProcessorSwitches {
  /** Reads the store; never from the cache. */
  readStop(processor: string): Promise<StoppedProcessor | undefined>;
  /** @throws RangeError if the reason is invalid: the caller checks it before. */
  stop(
    processor: string,
    change: SwitchChange & { readonly reason: string },
  ): Promise<StoppedProcessor | undefined>;
  resume(processor: string, change: SwitchChange): Promise<StoppedProcessor | undefined>;
  /**
   * The reason of a stop. Synchronous if it was read within the last 2 s. Rejects if the store can't be read. A stop reaches
   * every instance within 2 s.
   */
  stopReason(processor: string): string | undefined | Promise<string | undefined>;
}

/** An older cached stop is returned, and read again in the background. */
const FRESH_MS = 1_000;
/** An older cached stop is not returned: the caller waits for the read. */
const CACHE_MS = 2_000;

interface CachedStop {
  /** The start of the read, monotonic ms. */
  readonly at: number;
  readonly stopped: StoppedProcessor | undefined;
}

export class StreamProcessorSwitches implements ProcessorSwitches {
  /** One for each configured processor. */
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
    change: SwitchChange & { readonly reason: string },
  ): Promise<StoppedProcessor | undefined> {
    const { reason } = change;
    return this.change(processor, change, (state, command) => stopProcessor(state, { ...command, reason }));
  }

  resume(processor: string, change: SwitchChange): Promise<StoppedProcessor | undefined> {
    const { reason } = change;
    return this.change(processor, change, (state, command) =>
      resumeProcessor(state, { ...command, ...(reason !== undefined && { reason }) }),
    );
  }

  stopReason(processor: string): string | undefined | Promise<string | undefined> {
    const cached = this.cachedStops.get(processor);
    const age = cached ? this.clock.monotonicNow() - cached.at : Number.POSITIVE_INFINITY;
    if (!cached || age >= CACHE_MS) return this.readOnce(processor).then(({ stopped }) => stopped?.reason);
    // If this read fails, the cached stop is valid until it is 2 s old.
    if (age >= FRESH_MS) this.readOnce(processor).catch(() => undefined);
    return cached.stopped?.reason;
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
    return this.cache(processor, at, switchState(history));
  }

  private async change(
    processor: string,
    { actor, traceId, reason, commandId = newCommandId() }: SwitchChange,
    decide: (
      state: ProcessorSwitchState,
      command: Omit<ProcessorResumed, 'reason'>,
    ) => ProcessorSwitchDecision,
  ): Promise<StoppedProcessor | undefined> {
    const { clock } = this;
    const startedAt = clock.monotonicNow();
    const cause = { merchantId: '', actor, causationId: commandId, traceId, reason };
    const result = await transact(this.store, {
      stream: processorSwitchStream(processor),
      decisionsMax: Number.POSITIVE_INFINITY,
      decide: (history) => {
        const command = { at: iso(clock.now()), commandId, processor, by: actor.name };
        const decision = decide(switchState(history), command);
        if (decision.kind === 'Rejected') throw new RangeError(decision.rejection.message);
        return {
          events: toNewEvents(processorSwitchCodec, decision.events, cause, clock),
          value: undefined,
        };
      },
    });
    if (result.kind === 'Conflict') throw new Error('the change of a processor switch was not written');
    return this.cache(processor, startedAt, switchState(result.history)).stopped;
  }

  /** A read that started earlier may end later. It never replaces a newer one. */
  private cache(processor: string, at: number, { stopped }: ProcessorSwitchState): CachedStop {
    const cached = { at, stopped };
    const known = this.cachedStops.get(processor);
    if (!known || known.at <= at) this.cachedStops.set(processor, cached);
    return cached;
  }
}

function switchState(history: readonly RecordedEvent[]): ProcessorSwitchState {
  return foldProcessorSwitch(history.map((recorded) => fromRecorded(processorSwitchCodec, recorded)));
}
