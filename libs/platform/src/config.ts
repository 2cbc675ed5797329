import type { Timings } from '@tillstream/payments';
import { ConfigError, type OptionalSetting, type Setting } from './setting.kinds.js';
import { SETTINGS } from './settings.table.js';

type ValueOf<Of> =
  Of extends OptionalSetting<infer Value>
    ? Value | undefined
    : Of extends Setting<infer Value>
      ? Value
      : never;
type Values = { readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> };

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
 * Reads the whole configuration or throws a `ConfigError`. A setting that is empty counts as left out. Variables that
 * are none of ours are not looked at.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values: Partial<Record<keyof Values, unknown>> = {};
  for (const [field, setting] of Object.entries(SETTINGS) as [keyof Values, Setting<unknown>][]) {
    values[field] = valueOf(setting, environment[setting.name]);
  }
  return checked(values as Values);
}

function valueOf(setting: Setting<unknown>, given: string | undefined): unknown {
  const written = given === undefined || given === '' ? setting.byDefault : given;
  if (written === undefined) return undefined;
  const value = setting.parse(written);
  if (value !== undefined) return value;
  const received = setting.secret ? 'something else' : `"${written}"`;
  const problem = setting.problem?.(written)?.replace(/\.$/, '');
  const why = problem === undefined ? '' : ` (${problem})`;
  throw new ConfigError(`${setting.name} is ${received}; allowed is ${setting.allowed}${why}.`);
}

function checked(values: Values): Config {
  if (values.mode === 'live') {
    throw new ConfigError(
      'MODE is "live", but no live processor is configured in this version; use MODE=sandbox.',
    );
  }
  const { sendWithin, processorDeadline, terminalDeadline, margin, authorizationLifetime, ...others } =
    values;
  const { inquirySteps, inquiryEvery, inquiriesFor, lateChecks, idempotencyLifetime, ...more } = others;
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
  const deadlines = { sendWithin, processorDeadline, terminalDeadline, margin };
  const inquiries = { inquirySteps, inquiryEvery, inquiriesFor, lateChecks };
  const timings = { ...deadlines, ...inquiries, authorizationLifetime, idempotencyLifetime };
  return { ...config, timings, eventStoreDb: { url, deadline, wait } };
}

/** `.env.example`, made from the table. */
export function exampleEnvironment(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const sections = settings.map(
    ({ name, byDefault, allowed, doc }) =>
      `# ${doc}\n# Allowed: ${allowed}.\n${byDefault === undefined ? `# ${name}=` : `${name}=${byDefault}`}\n`,
  );
  return `# Every setting with its default. \`npm start\` reads a file named .env; real environment variables win over it.\n\n${sections.join('\n')}`;
}

/** `--help`. */
export function settingsHelp(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const lines = settings.map(
    ({ name, byDefault, allowed, doc }) =>
      `  ${name}=${byDefault ?? ''}\n      ${doc}\n      Allowed: ${allowed}.\n`,
  );
  return `Usage: npm start\n\nSettings are environment variables, or lines of a file .env:\n\n${lines.join('\n')}`;
}
