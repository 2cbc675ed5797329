import { existsSync, readFileSync } from 'node:fs';
import { StoreNotFound, httpUrl, readConfig, withStores } from '@tillstream/platform';
import { Failed, type CommandContext } from '../command.types.js';
import { findMerchant } from '../merchants.command.js';
import { readSandboxFile } from '../sandbox.file.js';

/* Whose month it is, and how to reach it. */

export interface ReportOptions {
  readonly month: string;
  readonly currency: 'USD' | 'CAD';
  readonly merchant?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly timeZone?: string;
  readonly locale?: string;
  readonly asOf?: number;
  readonly out?: string;
}

export interface ReportSettings {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly timeZone: string;
  readonly locale: string;
  readonly merchantId: string | undefined;
  readonly merchantName: string | undefined;
}

const KEY_VARIABLE = 'TILLSTREAM_API_KEY';
const KEY_FORM = /^sk_(?:test|live)_[A-Za-z0-9]{32}$/;
const DEFAULT_LOCALE = 'en-US';

/** Rejects with `Failed`, whose sentence says what to give. */
export async function reportSettings(
  options: ReportOptions,
  context: CommandContext,
): Promise<ReportSettings> {
  const { environment } = context;
  const { dataDir, port } = readConfig(environment);
  const sandbox = readSandboxFile(dataDir);
  const given = givenKey(options, environment);
  const key = given ?? textIn(sandbox, 'apiKey');
  if (key === undefined)
    throw new Failed(
      `Give the merchant's API key in ${KEY_VARIABLE} or with --key-file; a read-only one suffices.`,
    );
  const merchantId = options.merchant ?? (given === undefined ? textIn(sandbox, 'merchantId') : undefined);
  const merchant = merchantId === undefined ? undefined : await storedMerchant(merchantId, context);
  const timeZone = options.timeZone ?? merchant?.timeZone;
  if (timeZone === undefined)
    throw new Failed('Give --merchant on the machine that has its data directory, or --time-zone.');
  return {
    baseUrl: options.url ?? textIn(sandbox, 'baseUrl') ?? `http://127.0.0.1:${port}/v1`,
    key,
    timeZone,
    locale: options.locale ?? merchant?.locale ?? DEFAULT_LOCALE,
    merchantId,
    merchantName: merchant?.name,
  };
}

function givenKey(
  { keyFile }: ReportOptions,
  environment: CommandContext['environment'],
): string | undefined {
  if (keyFile !== undefined && !existsSync(keyFile))
    throw new Failed('There is no file of that name for --key-file.');
  const key = keyFile === undefined ? environment[KEY_VARIABLE] : readFileSync(keyFile, 'utf8').trim();
  if (key === undefined || key === '') return undefined;
  if (!KEY_FORM.test(key))
    throw new Failed('That is no API key of a merchant; allowed is sk_test_… or sk_live_….');
  return key;
}

function textIn(facts: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = facts[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** From its events. Undefined where the data directory of the service is not. */
async function storedMerchant(
  id: string,
  { environment }: CommandContext,
): Promise<{ readonly name: string; readonly timeZone: string; readonly locale: string } | undefined> {
  try {
    return await withStores(readConfig(environment), { access: 'read' }, async (stores) =>
      findMerchant(await stores.events(), id),
    );
  } catch (error) {
    if (error instanceof StoreNotFound) return undefined;
    throw error;
  }
}

/** `http://host:3000/v1` of the same with or without `/v1`; undefined if it is no such address. */
export function baseUrlOf(text: string): string | undefined {
  const url = httpUrl(text);
  if (!url) return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/v1') ? path : `${path}/v1`}`;
}
