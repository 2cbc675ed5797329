import type { Timings } from '@tillstream/payments';
import { checkProcessorNames } from './processor-name.check.js';
import { PROCESSOR_FACTORIES, type ProcessorFactory } from '../processors/processor.factories.js';
import { ConfigError, type OptionalSetting, type Setting } from './setting.kinds.js';
import { SANDBOX_SERVICE_ONLY_SETTINGS } from './sandbox-service.settings.js';
import { SETTINGS } from './settings.table.js';

type ValueOf<Of> =
  Of extends OptionalSetting<infer Value>
    ? Value | undefined
    : Of extends Setting<infer Value>
      ? Value
      : never;
export type ValuesOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };
type Values = ValuesOf<typeof SETTINGS>;

type EventStoreDbValue = 'eventStoreDbUrl' | 'eventStoreDbDeadline' | 'eventStoreDbWait';

export type Config = Omit<Values, keyof Timings | EventStoreDbValue> & {
  readonly timings: Timings;
  readonly eventStoreDb: {
    readonly url: string | undefined;
    /** Ms. */
    readonly deadline: number;
    /** Ms. */
    readonly wait: number;
  };
};

/**
 * Reads the whole configuration. An empty setting counts as left out. Other environment variables are ignored.
 * @throws ConfigError
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  factories: readonly ProcessorFactory[] = PROCESSOR_FACTORIES,
): Config {
  const config = toConfig(valuesOf(SETTINGS, environment));
  checkProcessorNames(config, factories);
  return config;
}

/** @throws ConfigError for the first setting that is wrong */
export function valuesOf<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table,
  environment: Readonly<Record<string, string | undefined>>,
): ValuesOf<Table> {
  const entries = Object.entries(table);
  return Object.fromEntries(
    entries.map(([field, setting]) => [field, valueOf(setting, environment[setting.name])]),
  ) as ValuesOf<Table>;
}

function valueOf(setting: Setting<unknown>, given: string | undefined): unknown {
  const text = given === undefined || given === '' ? setting.byDefault : given;
  if (text === undefined) return undefined;
  const value = setting.parse(text);
  if (value !== undefined) return value;
  const received = setting.secret ? 'something else' : `"${text}"`;
  const problem = setting.problem?.(text)?.replace(/\.$/, '');
  const why = problem === undefined ? '' : ` (${problem})`;
  throw new ConfigError(`${setting.name} is ${received}; allowed is ${setting.allowed}${why}.`);
}

function toConfig(values: Values): Config {
  if (values.mode === 'live') {
    throw new ConfigError(
      'MODE is "live", but no live processor is configured in this version; use MODE=sandbox.',
    );
  }
  const { sendWithin, processorDeadline, terminalDeadline, margin, authorizationLifetime, ...others } =
    values;
  const {
    inquirySteps,
    inquiryEvery,
    inquiriesFor,
    lateChecks,
    idempotencyLifetime,
    bankAnswerWithin,
    ...more
  } = others;
  const { eventStoreDbUrl: url, eventStoreDbDeadline: deadline, eventStoreDbWait: wait, ...config } = more;
  if (terminalDeadline < processorDeadline) {
    throw new ConfigError(
      `TERMINAL_DEADLINE_MS is ${terminalDeadline}; allowed is PROCESSOR_DEADLINE_MS (${processorDeadline}) or more.`,
    );
  }
  if (config.eventStore === 'eventstoredb' && url === undefined) {
    throw new ConfigError(
      'EVENTSTOREDB_URL is missing, and EVENT_STORE is "eventstoredb"; set it to the address, such as esdb://localhost:2113?tls=false.',
    );
  }
  if (config.vaultMasterKey !== undefined && config.vaultMasterKeyFile !== undefined) {
    throw new ConfigError(
      'VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE are both set; allowed is one of them, so that it is clear which keys count.',
    );
  }
  if (config.sandbox === 'network' && config.sandboxSecret === undefined) {
    throw new ConfigError(
      'SANDBOX_SECRET is missing, and SANDBOX is "network"; set it to the secret that the sandbox was started with.',
    );
  }
  const needsSecret = config.moreSandboxes?.some((further) => further.url !== undefined);
  if (needsSecret && config.sandboxSecret === undefined) {
    throw new ConfigError(
      'SANDBOX_SECRET is missing, and MORE_SANDBOXES has an address; set it to the secret that the sandboxes were started with.',
    );
  }
  const deadlines = { sendWithin, processorDeadline, terminalDeadline, margin, bankAnswerWithin };
  const inquiries = { inquirySteps, inquiryEvery, inquiriesFor, lateChecks };
  const timings = { ...deadlines, ...inquiries, authorizationLifetime, idempotencyLifetime };
  return { ...config, timings, eventStoreDb: { url, deadline, wait } };
}

/** The content of `.env.example`. */
export function exampleEnvironment(): string {
  const service = sectionsOf(SANDBOX_SERVICE_ONLY_SETTINGS).join('\n');
  return `# Every setting with its default. \`npm start\` reads a file named .env; real environment variables win over it.\n\n${sectionsOf(SETTINGS).join('\n')}\n# The sandbox as a service of its own (\`npm run sandbox\`) reads these and SANDBOX_SECRET, PROCESSOR_DEADLINE_MS,\n# SANDBOX_BROKEN_WORD_DELAY_MS and LOG_LEVEL from above.\n\n${service}`;
}

function sectionsOf(table: Readonly<Record<string, Setting<unknown>>>): string[] {
  return Object.values(table).map(
    ({ name, byDefault, allowed, doc }) =>
      `# ${doc}\n# Allowed: ${allowed}.\n${byDefault === undefined ? `# ${name}=` : `${name}=${byDefault}`}\n`,
  );
}

/** `--help`. */
export function settingsHelp(): string {
  return helpText('npm start', SETTINGS);
}

export function helpText(command: string, table: Readonly<Record<string, Setting<unknown>>>): string {
  const lines = Object.values(table).map(
    ({ name, byDefault, allowed, doc }) =>
      `  ${name}=${byDefault ?? ''}\n      ${doc}\n      Allowed: ${allowed}.\n`,
  );
  return `Usage: ${command}\n\nSettings are environment variables, or lines of a file .env:\n\n${lines.join('\n')}`;
}
