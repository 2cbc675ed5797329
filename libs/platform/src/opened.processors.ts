import type { Processor, ProcessorNotices, RouteRule } from '@tillstream/processors';

/** A processor of this service, simulated or not: its adapter, its health, and what it says on its own. */
export interface OpenedProcessor {
  readonly processor: Processor;
  /** `noNotices` where it never says anything on its own. */
  readonly notices: ProcessorNotices;
  /** Settings that do not fit what answers: another instance may have the right ones. One sentence each. */
  wrongSettings(): Promise<readonly string[]>;
  /** Why no payment could be sent to it now; empty where one could. */
  trouble(): Promise<readonly string[]>;
  close(): void;
}

/** All processors of this service, seen as one. */
export interface CombinedProcessors {
  readonly processors: readonly Processor[];
  readonly notices: ProcessorNotices;
  wrongSettings(): Promise<readonly string[]>;
  /** Why no new payment could be sent now, by any instance; empty where one could. */
  trouble(): Promise<readonly string[]>;
}

/**
 * @param routes A processor that no route leads to gets no new payment: whether it can be reached says nothing about
 *   whether payments go on.
 */
export function combinedProcessors(
  opened: readonly OpenedProcessor[],
  routes: readonly RouteRule[],
): CombinedProcessors {
  const led = new Set(routes.map(({ processor }) => processor));
  const routed = opened.filter(({ processor }) => led.has(processor.name));
  return {
    processors: opened.map(({ processor }) => processor),
    notices: {
      listen: (inbox) => {
        for (const { notices } of opened) notices.listen(inbox);
      },
      stop: async () => void (await Promise.all(opened.map(({ notices }) => notices.stop()))),
    },
    wrongSettings: async () => (await Promise.all(opened.map((one) => one.wrongSettings()))).flat(),
    trouble: async () => {
      const troubles = await Promise.all(routed.map((one) => one.trouble()));
      // While one can be reached, its payments go on: this instance is not taken out of service.
      return troubles.some((one) => one.length === 0) ? [] : troubles.flat();
    },
  };
}
