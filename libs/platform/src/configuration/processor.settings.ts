import type { Channel, Currency } from '@tillstream/domain';
import type { RouteRule } from '@tillstream/processors';
import type { OptionalSetting, Setting } from './setting.kinds.js';

/** A sandbox besides the first one. */
export interface FurtherSandbox {
  readonly name: string;
  /** Left out: in this process, with its own ledger in DATA_DIR. */
  readonly url?: string;
}

const NAME = /^[a-z][a-z0-9-]{0,29}$/;
const ACCOUNT = /^[A-Za-z0-9._-]{1,100}$/;
const MERCHANT = /^mer_[0-9A-HJKMNP-TV-Z]{26}$/;
const CHANNELS: readonly Channel[] = ['CardPresent', 'CardNotPresent', 'Token', 'Ach', 'Eft'];
const CURRENCIES: readonly Currency[] = ['USD', 'CAD'];
const ANY = '*';

/** `harbor=embedded,pier=http://127.0.0.1:3200`. */
export const furtherSandboxes = (name: string, doc: string): OptionalSetting<readonly FurtherSandbox[]> => ({
  name,
  byDefault: undefined,
  allowed:
    'name=embedded or name=<http or https address>, with commas between them; a name has lower-case letters, digits and dashes, and is not "sandbox"',
  doc,
  secret: false,
  parse: (given) => {
    const sandboxes = given.split(',').map((item) => furtherSandbox(item.trim()));
    const valid = sandboxes.filter((sandbox) => sandbox !== undefined);
    const names = new Set(valid.map((sandbox) => sandbox.name));
    return valid.length === sandboxes.length && names.size === valid.length ? valid : undefined;
  },
});

/** `merchant/channel/currency=processor:account`, `*` for any. */
export const processorRoutes = (
  name: string,
  byDefault: string,
  doc: string,
): Setting<readonly RouteRule[]> => ({
  name,
  byDefault,
  allowed: `merchant/channel/currency=processor:account with commas between them, where ${ANY} is any merchant, channel (${CHANNELS.join(', ')}) or currency (${CURRENCIES.join(', ')})`,
  doc,
  secret: false,
  parse: (given) => {
    const rules = given.split(',').map((item) => routeRule(item.trim()));
    const valid = rules.filter((rule) => rule !== undefined);
    return valid.length === rules.length ? valid : undefined;
  },
});

function furtherSandbox(text: string): FurtherSandbox | undefined {
  const [name = '', ...rest] = text.split('=');
  const address = rest.join('=');
  if (!NAME.test(name) || name === 'sandbox') return undefined;
  if (address === 'embedded') return { name };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? { name, url: url.origin } : undefined;
}

function routeRule(text: string): RouteRule | undefined {
  const [origin = '', destination = '', ...more] = text.split('=');
  const [merchantId = '', channel = '', currency = '', ...others] = origin.split('/');
  const [processor = '', account = '', ...last] = destination.split(':');
  if (more.length + others.length + last.length > 0) return undefined;
  if (!NAME.test(processor) || !ACCOUNT.test(account)) return undefined;
  const byChannel = oneOf(CHANNELS, channel);
  const byCurrency = oneOf(CURRENCIES, currency);
  const isMerchant = merchantId === ANY || MERCHANT.test(merchantId);
  if (!isMerchant || byChannel === undefined || byCurrency === undefined) return undefined;
  return {
    processor,
    account,
    ...(merchantId !== ANY && { merchantId }),
    ...(byChannel !== ANY && { channel: byChannel }),
    ...(byCurrency !== ANY && { currency: byCurrency }),
  };
}

function oneOf<Value extends string>(
  values: readonly Value[],
  given: string,
): Value | typeof ANY | undefined {
  return given === ANY ? ANY : values.find((value) => value === given);
}
