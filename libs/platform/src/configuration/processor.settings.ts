import type { Channel, Currency } from '@tillstream/domain';
import type { RouteRule } from '@tillstream/processors';
import { httpUrl, kind, parseList } from './setting.kinds.js';

/** A sandbox besides the first one. */
export interface FurtherSandbox {
  readonly name: string;
  /** Left out: in this process, with its own ledger in DATA_DIR. */
  readonly url?: string;
}

const NAME = '[a-z][a-z0-9-]{0,29}';
const CHANNELS: readonly Channel[] = ['CardPresent', 'CardNotPresent', 'Token', 'Ach', 'Eft'];
const CURRENCIES: readonly Currency[] = ['USD', 'CAD'];
const ANY = '*';
const ROUTE = new RegExp(
  [
    String.raw`^(?<merchantId>\*|mer_[0-9A-HJKMNP-TV-Z]{26})`,
    String.raw`/(?<channel>\*|${CHANNELS.join('|')})`,
    String.raw`/(?<currency>\*|${CURRENCIES.join('|')})`,
    `=(?<processor>${NAME}):(?<account>[A-Za-z0-9._-]{1,100})$`,
  ].join(''),
);

/** `harbor=embedded,pier=http://127.0.0.1:3200`. */
export const furtherSandboxes = (name: string) =>
  kind({
    name,
    byDefault: undefined,
    allowed:
      'name=embedded or name=<http or https address>, with commas between them; a name has lower-case letters, digits and dashes, and is not "sandbox"',
    parse: (given) => {
      const sandboxes = parseList(given, furtherSandbox);
      const names = new Set(sandboxes?.map((sandbox) => sandbox.name));
      return names.size === sandboxes?.length ? sandboxes : undefined;
    },
  });

/** `merchant/channel/currency=processor:account`, `*` for any. */
export const processorRoutes = (name: string, byDefault: string) =>
  kind({
    name,
    byDefault,
    allowed: `merchant/channel/currency=processor:account with commas between them, where ${ANY} is any merchant, channel (${CHANNELS.join(', ')}) or currency (${CURRENCIES.join(', ')})`,
    parse: (given) => parseList(given, routeRule),
  });

function furtherSandbox(text: string): FurtherSandbox | undefined {
  const [, name = '', address = ''] = new RegExp(`^(${NAME})=(.*)$`, 's').exec(text) ?? [];
  if (name === '' || name === 'sandbox') return undefined;
  if (address === 'embedded') return { name };
  const url = httpUrl(address)?.origin;
  return url === undefined ? undefined : { name, url };
}

/** A part of the rule that is `*` has no field. */
function routeRule(text: string): RouteRule | undefined {
  const parts = ROUTE.exec(text)?.groups;
  if (parts === undefined) return undefined;
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== ANY)) as unknown as RouteRule;
}
