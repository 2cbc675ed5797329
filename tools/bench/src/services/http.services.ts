import { fork, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HALT, type DriverReply, type Load, type Traffic } from '../load/load.types.js';

export interface Service {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface ApiService extends Service {
  readonly apiKey: string;
  readonly adminKey: string;
  /** Of the demo merchant. */
  readonly merchantId: string;
  /** Ids of payment methods, without the default one. */
  readonly terminals: readonly string[];
}

interface SandboxFile {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly adminKey: string;
  readonly merchantId: string;
  readonly paymentMethods: readonly Readonly<Record<'id' | 'type' | 'currency', string>>[];
}

export const BARE_COMPARISON =
  'Ratios compare the API with a bare NestJS handler: the same key guard, full validation of the same fields and a response of the same bytes, but no decision, storage or log.';

export const API = fileURLToPath(new URL('../../../../apps/api/dist/bundled/main.js', import.meta.url));
const SANDBOX = fileURLToPath(new URL('../../../../apps/sandbox/dist/bundled/main.js', import.meta.url));
/** The flags that `npm start` gives to Node. */
export const START_FLAGS = startFlags();
const BARE = fileURLToPath(new URL('../../dist/services/bare.service.js', import.meta.url));
const DRIVER = new URL('../../dist/load/driver.js', import.meta.url);

/** The settings of `npm start`; they replace those of the environment. */
export const USUAL_SETTINGS = {
  LOG_LEVEL: 'info',
  SETTLEMENT_PROJECTOR: 'beside',
  SANDBOX: 'embedded',
  EVENT_STORE: 'sqlite',
} as const;

export const USUAL_SETTINGS_TEXT =
  Object.entries(USUAL_SETTINGS)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') + ', the log to a file; its own are only the port and the data directory';

/**
 * No webhook is delivered: the demo merchant's endpoint is a page of the API itself, which would do the receiver's work too.
 */
export const WITHOUT_DELIVERY = { WEBHOOK_DISPATCHER: 'elsewhere' } as const;

export const WITHOUT_DELIVERY_TEXT =
  'No webhook dispatcher runs beside it: here it would deliver to the API itself. The section on webhooks measures what ' +
  'deliveries cost the sales.';

interface ApiOptions {
  /** Name of the directory and the log; left out: `api`. */
  readonly name?: string;
  readonly profileFolder?: string | undefined;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the API as `npm start` does, on its own data directory, with its log in a file. */
export async function startApi(
  folder: string,
  terminals: number,
  { name = 'api', profileFolder, settings = {} }: ApiOptions = {},
): Promise<ApiService> {
  const dataDir = join(folder, `${name}-data`);
  const own = { DATA_DIR: dataDir, PORT: '0', SANDBOX_TERMINALS: String(terminals), ...settings };
  const env = { ...process.env, ...own };
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const { pid, stop } = await startProcess([...START_FLAGS, ...profiling, API], env, folder, name);
  const facts = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
  const { hostname, port } = new URL(facts.baseUrl);
  const lanes = facts.paymentMethods
    .filter(({ type, currency }) => type === 'Physical' && currency === 'USD')
    .slice(1)
    .map(({ id }) => id);
  const { apiKey, adminKey, merchantId } = facts;
  return {
    pid,
    host: hostname,
    port: Number(port),
    ...{ apiKey, adminKey, merchantId },
    terminals: lanes.slice(0, terminals),
    stop,
  };
}

export async function startBare(
  folder: string,
  apiKey: string,
  { response, progress = {} }: { readonly response: object; readonly progress?: object },
  flags: readonly string[] = [],
): Promise<Service> {
  const responses = { BARE_RESPONSE: JSON.stringify(response), BARE_PROGRESS: JSON.stringify(progress) };
  const env = { ...process.env, BARE_API_KEY: apiKey, ...responses };
  const { pid, output, stop } = await startProcess([...flags, BARE], env, folder, 'bare');
  return { pid, host: 'localhost', port: Number(output), stop };
}

/** Starts `apps/sandbox` as `npm run sandbox` does. */
export async function startSandbox(folder: string, secret: string): Promise<Service> {
  const SANDBOX_DATA_DIR = join(folder, 'sandbox-data');
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DATA_DIR, SANDBOX_SECRET: secret };
  const { pid, output, stop } = await startProcess([SANDBOX], env, folder, 'sandbox');
  const origin = /http:\/\/\S+:\d+/.exec(output)?.[0];
  if (origin === undefined) throw new Error(`the sandbox says no address: ${output}`);
  const { hostname, port } = new URL(origin);
  return { pid, host: hostname, port: Number(port), stop };
}

export interface Driver {
  readonly pid: number;
  drive(load: Load): Promise<Traffic>;
  /** Ends the running load early; `drive` resolves then. */
  halt(): void;
  stop(): Promise<void>;
}

export function startDriver(): Driver {
  const child = fork(DRIVER, { execArgv: [] });
  killOnExit(child);
  return {
    pid: child.pid ?? 0,
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
    halt: () => void child.send(HALT),
    stop: () => stopProcess(child),
  };
}

/** Resolves with the first output of the process. */
async function startProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
  name: string,
): Promise<Pick<Service, 'pid' | 'stop'> & { readonly output: string }> {
  const errors = join(folder, `${name}.stderr`);
  const descriptor = openSync(errors, 'w');
  const child = spawn(process.execPath, args, { env, cwd: folder, stdio: ['ignore', 'pipe', descriptor] });
  closeSync(descriptor);
  killOnExit(child);
  const output = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString()));
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`${name} ended with ${code}: ${readFileSync(errors, 'utf8').slice(-1500)}`)),
    );
  });
  // A full pipe would halt the process.
  child.stdout?.resume();
  return { pid: child.pid ?? 0, output, stop: () => stopProcess(child) };
}

/** Ctrl-C leaves no child running, and no child writes to the folder that is removed. */
function killOnExit(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function startFlags(): readonly string[] {
  const { scripts } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ) as {
    readonly scripts: { readonly start: string };
  };
  const [, flags] = /exec node (.*)apps\/api\//.exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error('package.json says no longer how the API is started');
  return flags.split(' ').filter((flag) => flag !== '');
}
