import { processInfo, readConfig, type Config } from '@tillstream/platform';
import { namedWords, readArguments } from './arguments.js';
import { EXIT, WrongUse, type Command } from './command.types.js';
import { readSandboxFile } from './sandbox.file.js';
import { lookAtService } from './service.look.js';
import { problemsOf, statusLines, type Status } from './status.report.js';
import { lookIntoStores } from './stores.look.js';

const HELP = `The service and its data directory at a glance. Works with the service stopped too, and says so.

Usage: npm run --silent tillstream -- status [--url ADDRESS] [--json]

  --url ADDRESS   of the service, such as http://127.0.0.1:3000; left out: as sandbox.json in DATA_DIR says, else HOST and PORT
  --json          all of it for a script; "problems" is empty where all is well

Shown: whether it can be reached and is ready, or why not; mode and versions; the event store and the position of its last
event; the lists and how far they are behind; operations whose outcome nobody knows; open batches; free disk. The stores are
opened for reading, beside the service; what can't be opened says why.
Exit code 0: the service is ready and all could be looked at. 1: not so. 2: wrong use, or wrong settings.`;

const OPTIONS = { url: 'text', json: 'flag' } as const;

export const statusCommand: Command = {
  summary: 'the service and its data directory at a glance',
  help: HELP,
  async run(args, { environment, terminal }) {
    const { words, options } = readArguments(args, OPTIONS);
    namedWords(words, []);
    const given = options.url === undefined ? undefined : originOf(options.url);
    if (options.url !== undefined && given === undefined) {
      throw new WrongUse(
        '--url is no address of a service; allowed is http:// or https://, a host and a port.',
      );
    }
    const config = readConfig(environment);
    const url = given ?? knownOrigin(config);
    const [service, stores] = await Promise.all([url && lookAtService(url), lookIntoStores(config)]);
    const { version } = processInfo('tillstream', config.mode);
    const look = { dataDir: config.dataDir, mode: config.mode, version, node: process.version };
    const status: Status = { ...look, ...(service && { service }), ...stores };
    const problems = problemsOf(status, config.minFreeDisk);
    if (options.json === true) terminal.line(JSON.stringify({ ...status, problems }, null, 2));
    else for (const line of statusLines(status, problems)) terminal.line(line);
    return problems.length === 0 ? EXIT.done : EXIT.failed;
  },
};

/** Undefined where nobody knows: a port that was chosen at the start, of a service that told nobody. */
function knownOrigin({ dataDir, host, port }: Config): string | undefined {
  const { baseUrl } = readSandboxFile(dataDir);
  const written = typeof baseUrl === 'string' ? originOf(baseUrl) : undefined;
  if (written !== undefined) return written;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return port === 0
    ? undefined
    : originOf(`http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`);
}

function originOf(text: string): string | undefined {
  try {
    const { protocol, origin, username, password } = new URL(text);
    const isWeb = protocol === 'http:' || protocol === 'https:';
    return isWeb && username === '' && password === '' ? origin : undefined;
  } catch {
    return undefined;
  }
}
