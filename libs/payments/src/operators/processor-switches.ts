import {
  foldProcessorSwitch,
  processorSwitchCodec,
  processorSwitchStream,
  resumeProcessor,
  stopProcessor,
  type ProcessorResumed,
  type ProcessorSwitchDecision,
  type ProcessorSwitchRejection,
  type ProcessorSwitchEvent,
  type ProcessorSwitchState,
} from '@tillstream/domain/service';
import { iso } from '../ports/clock.port.js';
import { newCommandId } from '../identifiers.js';
import type { Actor } from '../requests/request.types.js';
import type { Ports } from '../parts.js';
import { StreamRepository } from '../stream-repository/repositories.js';

export type StoppedProcessor = NonNullable<ProcessorSwitchState['stopped']>;

export interface SwitchChange {
  readonly actor: Actor;
  readonly traceId?: string | undefined;
  readonly reason?: string | undefined;
  /** A change with the id of an earlier change has no effect. */
  readonly commandId?: string | undefined;
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

/** Operators' stops of new attempts to a processor. Durable, and the same on every instance. */
export class ProcessorSwitches {
  /** One for each configured processor. */
  private readonly cachedStops = new Map<string, CachedStop>();
  private readonly reading = new Map<string, Promise<CachedStop>>();

  private readonly switches: StreamRepository<
    ProcessorSwitchState,
    ProcessorSwitchEvent,
    ProcessorSwitchRejection
  >;

  constructor(private readonly ports: Pick<Ports, 'store' | 'clock'>) {
    this.switches = new StreamRepository(ports, { codec: processorSwitchCodec, fold: foldProcessorSwitch });
  }

  /** Reads the store; never from the cache. */
  async readStop(processor: string): Promise<StoppedProcessor | undefined> {
    return (await this.read(processor)).stopped;
  }

  /** @throws RangeError if the reason is invalid: the caller checks it before. */
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

  /**
   * The reason of a stop. Synchronous if it was read within the last 2 s. Rejects if the store can't be read. A stop reaches
   * every instance within 2 s.
   */
  stopReason(processor: string): string | undefined | Promise<string | undefined> {
    const cached = this.cachedStops.get(processor);
    const age = cached ? this.ports.clock.monotonicNow() - cached.at : Number.POSITIVE_INFINITY;
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
    const at = this.ports.clock.monotonicNow();
    return this.cache(processor, at, (await this.switches.load(processorSwitchStream(processor))).state);
  }

  private async change(
    processor: string,
    { actor, traceId, reason, commandId = newCommandId() }: SwitchChange,
    decide: (
      state: ProcessorSwitchState,
      command: Omit<ProcessorResumed, 'reason'>,
    ) => ProcessorSwitchDecision,
  ): Promise<StoppedProcessor | undefined> {
    const { clock } = this.ports;
    const startedAt = clock.monotonicNow();
    const cause = { merchantId: '', actor, causationId: commandId, traceId, reason };
    const written = await this.switches.transact(
      processorSwitchStream(processor),
      cause,
      (state) => decide(state, { at: iso(clock.now()), commandId, processor, by: actor.name }),
      { decisionsMax: Number.POSITIVE_INFINITY },
    );
    if (written.kind === 'Rejected') throw new RangeError(written.rejection.message);
    if (written.kind === 'Contended') throw new Error('the change of a processor switch was not written');
    return this.cache(processor, startedAt, written.loaded.state).stopped;
  }

  /** A read that started earlier may end later. It never replaces a newer one. */
  private cache(processor: string, at: number, { stopped }: ProcessorSwitchState): CachedStop {
    const cached = { at, stopped };
    const known = this.cachedStops.get(processor);
    if (!known || known.at <= at) this.cachedStops.set(processor, cached);
    return cached;
  }
}
