import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyDirectory, ServiceProcess } from './testing/service.process.js';

const LIMIT_MS = 90_000;
const SALES = 5;
const PAGE_BYTES = 4_096;

describe('The service beside damaged lists', () => {
  let dataDir: string;
  let service: ServiceProcess | undefined;

  beforeEach(async () => {
    dataDir = emptyDirectory();
    const first = await start();
    for (let sale = 0; sale < SALES; sale++) await first.sell({ amount: 100 + sale });
    await first.stop();
  }, LIMIT_MS);
  afterEach(async () => {
    await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const start = (settings?: Record<string, string>): Promise<ServiceProcess> =>
    (service = new ServiceProcess(dataDir, settings)).started();
  const fileOf = (list: string): string => {
    const directory = join(dataDir, 'read-models');
    const name = readdirSync(directory).find((one) => one.startsWith(list) && one.endsWith('.db'));
    return join(directory, name ?? 'none');
  };
  const garble = (file: string): void => writeFileSync(file, Buffer.alloc(statSync(file).size, 'garbage '));
  const asked = (of: ServiceProcess, path: string): Promise<Response> =>
    fetch(`${of.facts.baseUrl}${path}`, { headers: { 'x-api-key': of.facts.apiKey } });
  const listed = async (of: ServiceProcess): Promise<number | undefined> => {
    const reply = await asked(of, '/transactions?includeTotal=true');
    return reply.status === 200 ? ((await reply.json()) as { total: number }).total : undefined;
  };
  const warnings = ({ stdout, stderr }: ServiceProcess) =>
    `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.includes('list-damaged'))
      .map(
        (line) =>
          JSON.parse(line) as { readonly level: unknown; readonly file: string; readonly movedTo: string },
      );

  it.each(['transactions', 'control'])(
    'starts, names the damaged file (%s), and lists everything when it is ready',
    async (list) => {
      const file = fileOf(list);
      garble(file);
      const next = await start();
      expect(warnings(next)).toMatchObject([{ level: 'warn', file }]);
      const [{ movedTo = '' } = {}] = warnings(next);
      expect(readdirSync(join(dataDir, 'read-models'))).toContain(basename(movedTo));
      while ((await fetch(new URL('/health/ready', next.facts.baseUrl))).status !== 200) await pause(50);
      expect(await listed(next)).toBe(SALES);
    },
    LIMIT_MS,
  );

  it(
    'goes on taking payments while it makes a list again whose damage it finds, and lists them all',
    async () => {
      // Both processes look into it.
      const running = await start({ SETTLEMENT_PROJECTOR: 'beside' });
      const file = fileOf('transactions');
      const pages = Math.floor(statSync(file).size / PAGE_BYTES);
      const descriptor = openSync(file, 'r+');
      writeSync(
        descriptor,
        Buffer.alloc((pages - 1) * PAGE_BYTES, 0xa5),
        0,
        (pages - 1) * PAGE_BYTES,
        PAGE_BYTES,
      );
      closeSync(descriptor);
      for (let sale = 0; sale < SALES; sale++) {
        const reply = await running.sell({ amount: 200 + sale });
        expect(reply.status).toBe(200);
        // Its rows, or no answer: never fewer.
        expect([undefined, SALES + sale + 1]).toContain(await listed(running));
      }
      while ((await listed(running)) !== 2 * SALES) await pause(50);
      expect(warnings(running)).toMatchObject([{ file }]);
    },
    LIMIT_MS,
  );
});
