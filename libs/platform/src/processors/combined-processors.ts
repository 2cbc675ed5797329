import type { Processor, ProcessorNoticeSource } from '@tillstream/processors';

/** A processor of this service: its adapter, its health, and its notices. */
export interface OpenedProcessor {
  readonly processor: Processor;
  /** `noNoticeSource` if the processor sends no notices. */
  readonly notices: ProcessorNoticeSource;
  /** Settings of this instance that do not match the processor. One sentence each. */
  wrongSettings(): Promise<readonly string[]>;
  /** Why no payment can be sent to the processor now; empty if it can. */
  trouble(): Promise<readonly string[]>;
  close(): void;
}

/** All processors of this service. */
export interface CombinedProcessors {
  readonly processors: readonly Processor[];
  readonly notices: ProcessorNoticeSource;
  wrongSettings(): Promise<readonly string[]>;
  /** One reason for each processor that can't be reached now. Payments of the others go on. */
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
    wrongSettings: async () => (await Promise.all(opened.map((each) => each.wrongSettings()))).flat(),
    trouble: async () => (await Promise.all(opened.map((each) => each.trouble()))).flat(),
  };
}
