import { readConfig } from './config.js';

const routes = (text: string) =>
  readConfig({ PROCESSOR_ROUTES: text, MORE_SANDBOXES: 'harbor=embedded' }).processorRoutes;
const SANDBOX_SECRET = 'a-secret-of-the-tests';
const further = (text: string) => readConfig({ MORE_SANDBOXES: text, SANDBOX_SECRET }).moreSandboxes;
const MERCHANT = `mer_${'0'.repeat(26)}`;

describe('PROCESSOR_ROUTES', () => {
  it('routes everything to the sandbox by default', () => {
    expect(readConfig({}).processorRoutes).toEqual([{ processor: 'sandbox', account: 'sandbox' }]);
  });

  it('has rules by merchant, channel and currency, in order', () => {
    expect(routes(`${MERCHANT}/Ach/USD=harbor:h-7, */CardPresent/*=harbor:h-8,*/*/*=sandbox:s.1`)).toEqual([
      { merchantId: MERCHANT, channel: 'Ach', currency: 'USD', processor: 'harbor', account: 'h-7' },
      { channel: 'CardPresent', processor: 'harbor', account: 'h-8' },
      { processor: 'sandbox', account: 's.1' },
    ]);
  });

  it('is refused if it names a processor that is not configured', () => {
    expect(() => routes('*/*/*=pier:a')).toThrow(
      /^PROCESSOR_ROUTES leads to "pier"; allowed is .*: sandbox, harbor\.$/,
    );
  });

  it.each([
    '*/*/*',
    '*/*=sandbox:a',
    '*/*/*/*=sandbox:a',
    '*/*/*=sandbox',
    '*/*/*=sandbox:a:b',
    '*/Cash/*=sandbox:a',
    '*/*/EUR=sandbox:a',
    'mer_1/*/*=sandbox:a',
    '*/*/*=Sand box:a',
    '*/*/*=sandbox:a b',
    '*/*/*=sandbox:a,',
  ])('%j is refused, and the setting is named', (text) => {
    expect(() => routes(text)).toThrow(/^PROCESSOR_ROUTES is /);
  });
});

describe('MORE_SANDBOXES', () => {
  it('at an address needs the secret of the sandboxes', () => {
    expect(() => readConfig({ MORE_SANDBOXES: 'pier=http://127.0.0.1:3200' })).toThrow(
      /^SANDBOX_SECRET is missing/,
    );
  });

  it('lists the sandboxes, in this process or at an address', () => {
    expect(further('harbor=embedded, pier=http://127.0.0.1:3200')).toEqual([
      { name: 'harbor' },
      { name: 'pier', url: 'http://127.0.0.1:3200' },
    ]);
    expect(readConfig({}).moreSandboxes).toBeUndefined();
  });

  it.each([
    'harbor',
    'sandbox=embedded',
    'Harbor=embedded',
    'harbor=embedded,harbor=embedded',
    'harbor=ftp://a',
    'harbor=http://user:secret@host',
    'harbor=',
  ])('%j is refused, and the setting is named', (text) => {
    expect(() => further(text)).toThrow(/^MORE_SANDBOXES is /);
  });
});
