import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { emptyDirectory, ServiceProcess } from '../testing/service.process.js';

let service: ServiceProcess | undefined;
let dataDir: string;
beforeEach(() => {
  dataDir = emptyDirectory();
});
afterEach(() => {
  service?.process.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Processes whose parent is this one; what has ended and was not waited for is none. */
function childrenOf(pid: number | undefined): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const [, state, parent] = /\) (\S) (\d+)/.exec(statOf(Number(name))) ?? [];
    return Number(parent) === pid && state !== 'Z' ? [Number(name)] : [];
  });
}

function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

const isRunning = (pid: number): boolean => /\) [^Z]/.test(statOf(pid));
const starts = (log: string): number => service?.stderr.split(`"${log}-started"`).length ?? 0;

const COMPANIONS = [
  ['The settlement projector', 'SETTLEMENT_PROJECTOR', 'settlement'],
  ['The webhook dispatcher', 'WEBHOOK_DISPATCHER', 'webhooks'],
] as const;

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 25_000; !condition();) {
    if (Date.now() > end) throw new Error(`it did not come: ${service?.stderr.slice(-2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.each(COMPANIONS)('%s', (_name, setting, log) => {
  it('runs beside the API, is started again when it dies, and ends with it, however it ends', async () => {
    service = await new ServiceProcess(dataDir, { [setting]: 'beside' }).started();
    const { pid } = service.process;
    await until(() => starts(log) === 2);
    const [first = 0] = childrenOf(pid);
    process.kill(first, 'SIGKILL');
    await until(() => starts(log) === 3);
    const [second = 0] = childrenOf(pid);
    expect(second).not.toBe(first);
    expect(await service.stop('SIGKILL')).toBe('SIGKILL');
    await until(() => !isRunning(second));
  }, 90_000);

  it('stops when the API stops, and is left to others where the settings say so', async () => {
    service = await new ServiceProcess(dataDir, { [setting]: 'beside' }).started();
    await until(() => starts(log) === 2);
    const [child = 0] = childrenOf(service.process.pid);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(isRunning(child)).toBe(false);
    expect(service.stderr).toContain(`"${log}-stopped"`);

    service = await new ServiceProcess(dataDir, { [setting]: 'elsewhere' }).started();
    expect(childrenOf(service.process.pid)).toEqual([]);
  }, 90_000);
});
