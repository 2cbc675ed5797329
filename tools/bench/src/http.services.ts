import { fork, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DriverReply, Load, Traffic } from './load.types.js';

export interface Service {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface ApiService extends Service {
  readonly apiKey: string;
  /** Ids of payment methods, the default one not among them. */
  readonly terminals: readonly string[];
}

interface SandboxFile {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly paymentMethods: readonly {
    readonly id: string;
    readonly type: string;
    readonly currency: string;
  }[];
}

export const API = fileURLToPath(new URL('../../../apps/api/dist/bundled/main.js', import.meta.url));
const SANDBOX = fileURLToPath(new URL('../../../apps/sandbox/dist/bundled/main.js', import.meta.url));
/** Node's own, as `npm start` gives them. */
export const START_FLAGS = startFlags();
const BARE = fileURLToPath(new URL('../dist/bare.service.js', import.meta.url));
const DRIVER = new URL('../dist/load.driver.js', import.meta.url);

/** Those of `npm start`, whatever the environment says. */
export const USUAL_SETTINGS = {
  LOG_LEVEL: 'info',
  SETTLEMENT_PROJECTOR: 'beside',
  SANDBOX: 'embedded',
  EVENT_STORE: 'sqlite',
} as const;

/** For reports. */
export const USUAL_SETTINGS_TEXT =
  Object.entries(USUAL_SETTINGS)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') + ', the log to a file; its own are only the port and the data directory';

interface ApiOptions {
  /** Of its directory and its log; left out: `api`. */
  readonly name?: string;
  readonly profileFolder?: string | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The API as `npm start` runs it, with a data directory of its own; its log goes to a file there. */
export async function startApi(
  folder: string,
  terminals: number,
  { name = 'api', profileFolder, settings = {} }: ApiOptions = {},
): Promise<ApiService> {
  const dataDir = join(folder, `${name}-data`);
  const own = { DATA_DIR: dataDir, PORT: '0', SANDBOX_TERMINALS: String(terminals), ...settings };
  const env = { ...process.env, ...own };
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const { child } = await started([...START_FLAGS, ...profiling, API], env, folder, name);
  const facts = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
  const { hostname, port } = new URL(facts.baseUrl);
  const lanes = facts.paymentMethods
    .filter(({ type, currency }) => type === 'Physical' && currency === 'USD')
    .slice(1)
    .map(({ id }) => id);
  return {
    pid: child.pid ?? 0,
    host: hostname,
    port: Number(port),
    apiKey: facts.apiKey,
    terminals: lanes.slice(0, terminals),
    stop: () => stopped(child),
  };
}

/** `bare.service.ts`; Node starts it as it comes, unless it is given flags. */
export async function startBare(
  folder: string,
  apiKey: string,
  answer: object,
  flags: readonly string[] = [],
): Promise<Service> {
  const env = { ...process.env, BARE_API_KEY: apiKey, BARE_ANSWER: JSON.stringify(answer) };
  const { child, said } = await started([...flags, BARE], env, folder, 'bare');
  return { pid: child.pid ?? 0, host: 'localhost', port: Number(said), stop: () => stopped(child) };
}

/** `apps/sandbox`, as `npm run sandbox` runs it. */
export async function startSandbox(folder: string, secret: string): Promise<Service> {
  const own = {
    SANDBOX_PORT: '0',
    SANDBOX_DATA_DIR: join(folder, 'sandbox-data'),
    SANDBOX_SECRET: secret,
  };
  const { child, said } = await started([SANDBOX], { ...process.env, ...own }, folder, 'sandbox');
  const origin = /http:\/\/\S+:\d+/.exec(said)?.[0];
  if (origin === undefined) throw new Error(`the sandbox says no address: ${said}`);
  const { hostname, port } = new URL(origin);
  return { pid: child.pid ?? 0, host: hostname, port: Number(port), stop: () => stopped(child) };
}

/** The load driver's process (`load.driver.ts`). */
export function startDriver(): { drive(load: Load): Promise<Traffic>; stop(): Promise<void> } {
  const child = fork(DRIVER, { execArgv: [] });
  endsWithUs(child);
  return {
    drive: (load) =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error('the load driver ended'));
        child.once('exit', ended).once('message', (reply: DriverReply) => {
          child.off('exit', ended);
          if (reply.kind === 'done') resolve(reply.traffic);
          else reject(new Error(`the load driver: ${reply.reason}`));
        });
        child.send(load);
      }),
    stop: () => stopped(child),
  };
}

/** Resolves with the first that the process says. */
async function started(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
  name: string,
): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const errors = join(folder, `${name}.stderr`);
  const descriptor = openSync(errors, 'w');
  const child = spawn(process.execPath, args, { env, cwd: folder, stdio: ['ignore', 'pipe', descriptor] });
  closeSync(descriptor);
  endsWithUs(child);
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString()));
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${name} ended with ${code}: ${readFileSync(errors, 'utf8').slice(-1500)}`)),
    );
  });
  // Nobody reads on: a full pipe would halt it.
  child.stdout?.resume();
  return { child, said };
}

/** Nothing is left running by a Ctrl-C, and nothing writes to the folder that is removed then. */
function endsWithUs(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

export function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function startFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const [, flags] = /exec node (.*)apps\/api\//.exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error('package.json says no longer how the API is started');
  return flags.split(' ').filter((flag) => flag !== '');
}
