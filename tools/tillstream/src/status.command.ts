import { httpUrl, processInfo, readConfig, type Config } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, type CommandContext } from './command.types.js';
import { readSandboxFile } from './sandbox.file.js';
import { readServiceStatus } from './service.status.js';
import { problemsOf, statusLines, type Status } from './status.report.js';
import { readStoresStatus } from './stores.status.js';

const HELP = `
Shown: whether the service can be reached and is ready, or why not; mode and versions; the event store and the position of
its last event; the lists and how far they are behind; operations whose outcome is unknown; open batches; free disk. The
stores are opened for reading, beside the service; one that can't be opened says why. With --json, "problems" is empty if
all is well.
Exit code 0: the service is ready and all could be read. 1: not so. 2: wrong use, or wrong settings.`;

interface StatusOptions {
  readonly url?: string;
  readonly json?: boolean;
}

export function statusCommand({ environment, terminal }: CommandContext): Command {
  return new Command('status')
    .summary('the service and its data directory at a glance')
    .description(
      'The service and its data directory at a glance. Works with the service stopped too, and says so.',
    )
    .addOption(
      new Option(
        '--url <address>',
        'of the service, such as http://127.0.0.1:3000; left out: as sandbox.json in DATA_DIR says, else HOST and PORT',
      ).argParser(serviceAddress),
    )
    .option('--json', 'for a script')
    .addHelpText('after', HELP)
    .action(
      action(async ({ url, json }: StatusOptions) => {
        const config = readConfig(environment);
        const origin = url ?? configuredOrigin(config);
        const [service, stores] = await Promise.all([
          origin && readServiceStatus(origin),
          readStoresStatus(config),
        ]);
        const { dataDir, mode, minFreeDisk } = config;
        const { version } = processInfo('tillstream', mode);
        const program = { dataDir, mode, version, node: process.version };
        const status: Status = { ...program, ...(service && { service }), ...stores };
        const problems = problemsOf(status, minFreeDisk);
        if (json) terminal.line(JSON.stringify({ ...status, problems }, null, 2));
        else for (const line of statusLines(status, problems)) terminal.line(line);
        return problems.length === 0 ? EXIT.done : EXIT.failed;
      }),
    );
}

/** Undefined if the service chose a port at its start and has not written it to sandbox.json. */
function configuredOrigin({ dataDir, host, port }: Config): string | undefined {
  const { baseUrl } = readSandboxFile(dataDir);
  const written = typeof baseUrl === 'string' ? originOf(baseUrl) : undefined;
  if (written !== undefined) return written;
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return port === 0
    ? undefined
    : originOf(`http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`);
}

function serviceAddress(text: string): string {
  const origin = originOf(text);
  if (origin !== undefined) return origin;
  throw new InvalidArgumentError(
    'That is no address of a service; allowed is http:// or https://, a host and a port.',
  );
}

const originOf = (text: string): string | undefined => httpUrl(text)?.origin;
