import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessorInbox } from '@tillstream/processors';
import { openSimulatedProcessor } from '@tillstream/processors/testing';
import { readConfig } from '../configuration/config.js';
import { noLog } from '../logging/log.js';
import { openConfiguredProcessors, type ConfiguredProcessors } from './configured-processors.js';
import type { ProcessorFactory } from './processor.factories.js';

const dataDir = mkdtempSync(join(tmpdir(), 'opened-processors-'));
const inbox: ProcessorInbox = { receive: async () => 'Stored' };
let calls: string[] = [];
let opened: ConfiguredProcessors | undefined;

/** A processor that is no sandbox, whose health a test sets. */
interface Pier extends ProcessorFactory {
  trouble: string[];
  wrong: string[];
}

function pier(name = 'pier', isConfigured = true): Pier {
  const opening: Pier = {
    name,
    trouble: [],
    wrong: [],
    isConfigured: () => isConfigured,
    open: async () => {
      const { processor, close } = openSimulatedProcessor(name, join(dataDir, `${name}.db`));
      return {
        processor,
        notices: {
          listen: (to) => void calls.push(`${name} listens ${to === inbox}`),
          deliverDue: async () => calls.push(`${name} delivers`),
          countDue: async () => 2,
          stop: async () => void calls.push(`${name} stops`),
        },
        wrongSettings: async () => opening.wrong,
        trouble: async () => opening.trouble,
        close: () => {
          close();
          calls.push(`${name} closes`);
        },
      };
    },
  };
  return opening;
}

const reading = (routes: string, openings: readonly ProcessorFactory[], more: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: dataDir, PROCESSOR_ROUTES: routes, ...more }, openings);
async function choose(routes: string, openings: readonly ProcessorFactory[]): Promise<ConfiguredProcessors> {
  opened = await openConfiguredProcessors(reading(routes, openings), { offsetMs: () => 0 }, noLog, openings);
  return opened;
}

beforeEach(() => void (calls = []));
afterEach(() => {
  opened?.close();
  opened = undefined;
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('A processor that is no sandbox', () => {
  it('is opened besides the sandbox if it is configured', async () => {
    const { processors } = await choose('*/*/*=pier:p-7', [pier(), pier('quay', false)]);
    expect(processors.map(({ name }) => name)).toEqual(['sandbox', 'pier']);
  });

  it('delivers its notices after the service listens, and is closed with the others', async () => {
    const { notices, close } = await choose('*/*/*=pier:p-7', [pier(), pier('quay')]);
    expect(calls).toEqual([]);
    notices.listen(inbox);
    await notices.stop();
    close();
    opened = undefined;
    expect(calls).toEqual([
      'pier listens true',
      'quay listens true',
      'pier stops',
      'quay stops',
      'pier closes',
      'quay closes',
    ]);
  });

  it('whose opening fails closes the opened ones', async () => {
    const refuses: ProcessorFactory = { ...pier('quay'), open: () => Promise.reject(new Error('no')) };
    await expect(choose('*/*/*=pier:p-7', [pier(), refuses])).rejects.toThrow('no');
    expect(calls).toEqual(['pier closes']);
  });
});

describe('Trouble', () => {
  it('names each processor that can not be reached, routed or not: refunds of old payments go there', async () => {
    const [first, second] = [pier(), pier('quay')];
    const { trouble } = await choose('*/*/*=pier:p-7', [first, second]);
    expect(await trouble()).toEqual([]);
    first.trouble = ['pier is away'];
    expect(await trouble()).toEqual(['pier is away']);
    second.trouble = ['quay is away'];
    expect(await trouble()).toEqual(['pier is away', 'quay is away']);
  });

  it('of wrong settings names each processor, routed or not: inquiries of old attempts go there', async () => {
    const wrong = pier();
    wrong.wrong = ['PIER_SECRET is wrong.'];
    const { wrongSettings } = await choose('*/*/*=sandbox:s-1', [wrong]);
    expect(await wrongSettings()).toEqual(['PIER_SECRET is wrong.']);
  });
});

describe('The names of processors', () => {
  it('in routes must be configured', () => {
    expect(reading('*/*/*=pier:p-7', [pier()]).processorRoutes).toMatchObject([{ processor: 'pier' }]);
    const lost =
      /^PROCESSOR_ROUTES leads to "pier"; allowed is a processor of this service: sandbox, quay\.$/;
    expect(() => reading('*/*/*=pier:p-7', [pier('pier', false), pier('quay')])).toThrow(lost);
  });

  it('must be unique: a duplicate stops the start with one sentence', () => {
    const same = { MORE_SANDBOXES: 'pier=embedded' };
    expect(() => reading('*/*/*=pier:p-7', [pier()], same)).toThrow(
      /^MORE_SANDBOXES has the name "pier", [^\n]+\.$/,
    );
    expect(reading('*/*/*=pier:p-7', [pier('pier', false)], same).processorRoutes).toHaveLength(1);
  });
});
