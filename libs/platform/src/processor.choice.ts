import { join } from 'node:path';
import type { ClockOffset } from '@tillstream/payments';
import type { Processor } from '@tillstream/processors';
import { openSandbox, type WorldControls } from '@tillstream/sandbox';
import type { Config } from './config.js';
import { booksOf } from './data-directory/books.files.js';
import { openingFile } from './data-directory/damaged.files.js';
import type { Log } from './log.js';
import { networkSandbox } from './network.sandbox.js';
import { combinedWorlds, embeddedSandbox, type SandboxWorld } from './sandbox.worlds.js';

/** Who moves the money, and what may be turned there. */
export interface ChosenProcessors extends WorldControls {
  /** The first is the sandbox of the settings `SANDBOX…`. */
  readonly processors: readonly Processor[];
  /** Tells each simulated world at once that the service's clock was moved. */
  clockMoved(): Promise<void>;
  /** Settings that do not fit what is there: another instance may have the right ones. */
  wrongSettings(): Promise<readonly string[]>;
  /** Of each processor that can't be reached now, by any instance: why. */
  trouble(): Promise<readonly string[]>;
  close(): void;
}

type ProcessorSettings = Pick<
  Config,
  | 'dataDir'
  | 'sandbox'
  | 'sandboxUrl'
  | 'sandboxSecret'
  | 'sandboxConnections'
  | 'sandboxBrokenWordDelay'
  | 'moreSandboxes'
  | 'timings'
>;

/** One simulated processor of the settings. */
interface SandboxPlace {
  readonly name: string;
  /** Left out: in this process, with its books in a file of DATA_DIR. */
  readonly url?: string;
  /** How a message about its address begins. */
  readonly named: string;
}

/**
 * The simulated processors, each in this process or as a service of its own; all of them live by the service's clock.
 * Rejects as `networkSandbox` does, and with a `ConfigError` where a file of books is damaged.
 */
export async function chosenProcessors(
  config: ProcessorSettings,
  offset: Pick<ClockOffset, 'offsetMs'>,
  log: Log,
): Promise<ChosenProcessors> {
  const worlds: SandboxWorld[] = [];
  const close = (): void => {
    for (const world of worlds) world.close();
  };
  try {
    for (const { name, url, named } of placesIn(config)) {
      worlds.push(
        url === undefined
          ? embeddedSandbox(name, await openBooks(config, name, offset))
          : await networkSandbox(config, { name, url, named }, offset, log),
      );
    }
    return together(worlds, close);
  } catch (error) {
    close();
    throw error;
  }
}

function placesIn({ sandbox, sandboxUrl, moreSandboxes = [] }: ProcessorSettings): readonly SandboxPlace[] {
  const first = { name: 'sandbox', named: 'SANDBOX_URL is' };
  return [
    sandbox === 'embedded' ? first : { ...first, url: sandboxUrl },
    ...moreSandboxes.map((further) => ({ ...further, named: 'MORE_SANDBOXES names' })),
  ];
}

function openBooks(config: ProcessorSettings, name: string, offset: Pick<ClockOffset, 'offsetMs'>) {
  const file = join(config.dataDir, booksOf(name));
  return openingFile(file, () =>
    openSandbox({
      file,
      processorDeadlineMs: config.timings.processorDeadline,
      brokenWordDelayMs: config.sandboxBrokenWordDelay,
      serviceNow: () => Date.now() + offset.offsetMs(),
    }),
  );
}

function together(worlds: readonly SandboxWorld[], close: () => void): ChosenProcessors {
  const [first, ...others] = worlds;
  if (!first) throw new RangeError('there is always a first sandbox');
  return {
    ...combinedWorlds(first, others),
    processors: worlds.map(({ processor }) => processor),
    clockMoved: async () => void (await Promise.all(worlds.map((one) => one.clockMoved()))),
    wrongSettings: async () => (await Promise.all(worlds.map((one) => one.wrongSettings()))).flat(),
    trouble: async () => (await Promise.all(worlds.map((one) => one.trouble()))).flat(),
    close,
  };
}
