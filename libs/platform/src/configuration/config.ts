import { PROCESSOR_FACTORIES, type ProcessorFactory } from '../processors/processor.factories.js';
import { ConfigError, type Setting, type SettingsTable } from './setting.kinds.js';
import { SANDBOX_SERVICE_ONLY_SETTINGS, SANDBOX_SERVICE_SETTINGS, SETTINGS } from './settings.table.js';

type Environment = Readonly<Record<string, string | undefined>>;

type ValuesOf<Table> = {
  readonly [Field in keyof Table]: Table[Field] extends Setting<unknown>
    ? ValueOf<Table[Field]>
    : ValuesOf<Table[Field]>;
};
type ValueOf<Of extends Setting<unknown>> = Of['byDefault'] extends string
  ? Exclude<ReturnType<Of['parse']>, undefined>
  : ReturnType<Of['parse']> | undefined;

export type Config = ValuesOf<typeof SETTINGS>;

/**
 * Reads the whole configuration. An empty setting counts as left out. Other environment variables are ignored.
 * @throws ConfigError for the first setting that is wrong
 */
export function readConfig(
  environment: Environment,
  factories: readonly ProcessorFactory[] = PROCESSOR_FACTORIES,
): Config {
  const config = valuesOf(SETTINGS, environment);
  checkTogether(config);
  checkSharedStore(config);
  checkProcessorNames(config, factories);
  return config;
}

function valuesOf<Table extends SettingsTable>(table: Table, environment: Environment): ValuesOf<Table> {
  const values = Object.entries(table).map(([field, entry]) => [
    field,
    isSetting(entry) ? valueOf(entry, environment[entry.name]) : valuesOf(entry, environment),
  ]);
  return Object.fromEntries(values) as ValuesOf<Table>;
}

const isSetting = (entry: Setting<unknown> | SettingsTable): entry is Setting<unknown> => 'parse' in entry;

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

/** Checks settings that depend on one another. */
function checkTogether(config: Config): void {
  const { processorDeadline, terminalDeadline } = config.timings;
  refuseIf(
    config.mode === 'live',
    'MODE is "live", but no live processor is configured in this version; use MODE=sandbox.',
  );
  refuseIf(
    terminalDeadline < processorDeadline,
    `TERMINAL_DEADLINE_MS is ${terminalDeadline}; allowed is PROCESSOR_DEADLINE_MS (${processorDeadline}) or more.`,
  );
  refuseIf(
    config.eventStore === 'eventstoredb' && config.eventStoreDb.url === undefined,
    'EVENTSTOREDB_URL is missing, and EVENT_STORE is "eventstoredb"; set it to the address, such as esdb://localhost:2113?tls=false.',
  );
  refuseIf(
    config.vaultMasterKey !== undefined && config.vaultMasterKeyFile !== undefined,
    'VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE are both set; allowed is one of them, so that it is clear which keys count.',
  );
  const lacksSecret = config.sandboxSecret === undefined;
  refuseIf(
    lacksSecret && config.sandbox === 'network',
    'SANDBOX_SECRET is missing, and SANDBOX is "network"; set it to the secret that the sandbox was started with.',
  );
  refuseIf(
    lacksSecret && config.moreSandboxes?.some(({ url }) => url !== undefined),
    'SANDBOX_SECRET is missing, and MORE_SANDBOXES has an address; set it to the secret that the sandboxes were started with.',
  );
}

/** Machines that share PostgreSQL must have the same keys. So they can't be made in a data directory. */
function checkSharedStore(config: Config): void {
  if (config.sharedStore !== 'postgres') return;
  refuseIf(
    config.eventStore !== 'eventstoredb',
    `EVENT_STORE is "${config.eventStore}", and SHARED_STORE is "postgres"; allowed with it is EVENT_STORE=eventstoredb.`,
  );
  refuseIf(
    config.database.url === undefined,
    'DATABASE_URL is missing, and SHARED_STORE is "postgres"; set it to the address, such as postgres://tillstream:…@db.internal:5432/tillstream.',
  );
  refuseIf(
    config.sandbox === 'embedded',
    'SANDBOX is "embedded", and SHARED_STORE is "postgres"; set SANDBOX=network, since an embedded sandbox knows the payments of its own machine only.',
  );
  refuseIf(
    config.answerKey === undefined,
    'IDEMPOTENCY_ANSWER_KEY is missing, and SHARED_STORE is "postgres"; set it to the same key on every machine (openssl rand -base64 32).',
  );
  refuseIf(
    config.vaultMasterKey === undefined && config.vaultMasterKeyFile === undefined,
    'VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE are missing, and SHARED_STORE is "postgres"; set one of them, with the same key on every machine.',
  );
}

/** Checks that each processor has a name of its own, and that each route names one of them. */
function checkProcessorNames(config: Config, factories: readonly ProcessorFactory[]): void {
  const configured = factories.filter((factory) => factory.isConfigured(config));
  const names = ['sandbox', ...[...(config.moreSandboxes ?? []), ...configured].map(({ name }) => name)];
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  refuseIf(
    duplicate !== undefined,
    `MORE_SANDBOXES has the name "${duplicate}", which is that of another processor of this service; give the sandbox another.`,
  );
  const wrong = config.processorRoutes.find(({ processor }) => !names.includes(processor));
  refuseIf(
    wrong !== undefined,
    `PROCESSOR_ROUTES leads to "${wrong?.processor}"; allowed is a processor of this service: ${names.join(', ')}.`,
  );
}

function refuseIf(isWrong: boolean | undefined, sentence: string): void {
  if (isWrong) throw new ConfigError(sentence);
}

/** @throws ConfigError for the first setting that is wrong */
export function readSandboxServiceConfig(environment: Environment) {
  const { secret, ...config } = valuesOf(SANDBOX_SERVICE_SETTINGS, environment);
  if (secret === undefined) {
    throw new ConfigError(
      'SANDBOX_SECRET is missing; set it to 16 characters or more (openssl rand -hex 32), here and for the API.',
    );
  }
  return { ...config, secret };
}

export type SandboxServiceConfig = ReturnType<typeof readSandboxServiceConfig>;

/** All settings of a table, in its order. */
export function settingsIn(table: SettingsTable): readonly Setting<unknown>[] {
  return Object.values(table).flatMap((entry) => (isSetting(entry) ? entry : settingsIn(entry)));
}

/** The content of `.env.example`. */
export function exampleEnvironment(): string {
  const service = sectionsOf(SANDBOX_SERVICE_ONLY_SETTINGS).join('\n');
  return `# Every setting with its default. \`npm start\` reads a file named .env; real environment variables win over it.\n\n${sectionsOf(SETTINGS).join('\n')}\n# The sandbox as a service of its own (\`npm run sandbox\`) reads these and SANDBOX_SECRET, PROCESSOR_DEADLINE_MS,\n# SANDBOX_BROKEN_WORD_DELAY_MS and LOG_LEVEL from above.\n\n${service}`;
}

function sectionsOf(table: SettingsTable): string[] {
  return settingsIn(table).map(
    ({ name, byDefault, allowed, doc }) =>
      `# ${doc}\n# Allowed: ${allowed}.\n${byDefault === undefined ? `# ${name}=` : `${name}=${byDefault}`}\n`,
  );
}

/** `--help` of `npm start`. */
export const settingsHelp = (): string => helpText('npm start', SETTINGS);

/** `--help` of `npm run sandbox`. */
export const sandboxServiceHelp = (): string => helpText('npm run sandbox', SANDBOX_SERVICE_SETTINGS);

function helpText(command: string, table: SettingsTable): string {
  const lines = settingsIn(table).map(
    ({ name, byDefault, allowed, doc }) =>
      `  ${name}=${byDefault ?? ''}\n      ${doc}\n      Allowed: ${allowed}.\n`,
  );
  return `Usage: ${command}\n\nSettings are environment variables, or lines of a file .env:\n\n${lines.join('\n')}`;
}
