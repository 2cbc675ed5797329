import type { Processor, ProcessorNoticeSource } from '@tillstream/processors';

/** A processor of this service, simulated or not: its adapter, its health, and what it says on its own. */
export interface OpenedProcessor {
  readonly processor: Processor;
  /** `noNoticeSource` where it never says anything on its own. */
  readonly notices: ProcessorNoticeSource;
  /** Settings that do not fit what answers: another instance may have the right ones. One sentence each. */
  wrongSettings(): Promise<readonly string[]>;
  /** Why no payment could be sent to it now; empty where one could. */
  trouble(): Promise<readonly string[]>;
  close(): void;
}

/** All processors of this service, seen as one. */
export interface CombinedProcessors {
  readonly processors: readonly Processor[];
  readonly notices: ProcessorNoticeSource;
  wrongSettings(): Promise<readonly string[]>;
  /** Of each processor that can't be reached now, by any instance: why. Payments of the others go on. */
  trouble(): Promise<readonly string[]>;
}

export function combinedProcessors(opened: readonly OpenedProcessor[]): CombinedProcessors {
  return {
    processors: opened.map(({ processor }) => processor),
    notices: {
      listen: (inbox) => {
        for (const { notices } of opened) notices.listen(inbox);
      },
      stop: async () => void (await Promise.all(opened.map(({ notices }) => notices.stop()))),
    },
    wrongSettings: async () => (await Promise.all(opened.map((one) => one.wrongSettings()))).flat(),
    trouble: async () => (await Promise.all(opened.map((one) => one.trouble()))).flat(),
  };
}
