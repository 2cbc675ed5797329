import { readFileSync } from 'node:fs';
import { defaultTimings } from '@tillstream/payments';
import { exampleEnvironment, readConfig, settingsHelp, settingsIn } from './config.js';
import { SETTINGS } from './settings.table.js';

const settings = settingsIn(SETTINGS);

describe('The configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ mode: 'sandbox', port: 3_000, dataDir: '.data', rateLimitPerSecond: 500 });
    expect(config.timings).toEqual(defaultTimings);
  });

  it('takes an empty setting as left out', () => {
    expect(readConfig({ PORT: '', IDEMPOTENCY_ANSWER_KEY: '' })).toMatchObject({ port: 3_000 });
  });

  it('reads every timing', () => {
    const { timings } = readConfig({
      SEND_WITHIN_MS: '1',
      PROCESSOR_DEADLINE_MS: '2',
      TERMINAL_DEADLINE_MS: '3',
      INQUIRY_MARGIN_MS: '4',
      AUTHORIZATION_LIFETIME_MS: '5',
      INQUIRY_STEPS_MS: '6,7, 8',
      INQUIRY_EVERY_MS: '9',
      INQUIRIES_FOR_MS: '10',
      LATE_CHECKS_MS: '11',
      IDEMPOTENCY_LIFETIME_MS: '12',
      BANK_ANSWER_WITHIN_MS: '13',
      FORM_LIFETIME_MS: '14',
      CHALLENGE_LIFETIME_MS: '15',
    });
    expect(timings).toEqual({
      sendWithin: 1,
      processorDeadline: 2,
      terminalDeadline: 3,
      margin: 4,
      bankAnswerWithin: 13,
      authorizationLifetime: 5,
      formLifetime: 14,
      challengeLifetime: 15,
      inquirySteps: [6, 7, 8],
      inquiryEvery: 9,
      inquiriesFor: 10,
      lateChecks: [11],
      idempotencyLifetime: 12,
    });
  });

  it.each(['EVENT_STORE', 'DATABASE_URL', 'SANDBOX', 'IDEMPOTENCY_ANSWER_KEY', 'VAULT_MASTER_KEY'])(
    'refuses a shared store whose machines could differ: without %s',
    (left) => {
      const key = Buffer.alloc(32).toString('base64');
      const shared: Record<string, string> = {
        ...{ SHARED_STORE: 'postgres', DATABASE_URL: 'postgres://till:secret@db.internal/tillstream' },
        ...{ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: 'esdb://localhost:2113?tls=false' },
        ...{ SANDBOX: 'network', SANDBOX_SECRET: 'a-secret-of-the-sandbox' },
        ...{ IDEMPOTENCY_ANSWER_KEY: key, VAULT_MASTER_KEY: key },
      };
      expect(readConfig(shared)).toMatchObject({ sharedStore: 'postgres', database: { tls: 'verify' } });
      expect(() => readConfig({ ...shared, [left]: '' })).toThrow(
        new RegExp(`^${left} .*SHARED_STORE is "postgres"`),
      );
    },
  );

  it('reads trusted proxies as addresses and networks, and trusts none by default', () => {
    expect(readConfig({}).trustedProxies).toBeUndefined();
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1,2001:db8::/32' });
    expect(trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32']);
  });

  it('reads a crash point that kills or stops', () => {
    const crash = (text: string) => readConfig({ SANDBOX_CRASH_POINT: text }).sandboxCrashPoint;
    expect(crash('before-send:3')).toEqual({ point: 'before-send', nth: 3, signal: 'SIGKILL' });
    expect(crash('before-send:1:stop')).toEqual({ point: 'before-send', nth: 1, signal: 'SIGSTOP' });
    expect(crash('')).toBeUndefined();
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['PORT', ' 80'],
    ['MODE', 'production'],
    ['MODE', 'live'],
    ['LOG_LEVEL', 'loud'],
    ['EVENT_STORE', 'postgres'],
    ['EVENTSTOREDB_URL', 'http://localhost:2113'],
    ['EVENTSTOREDB_URL', 'esdb://'],
    ['EVENTSTOREDB_URL', 'esdb://localhost:99999'],
    ['EVENTSTOREDB_DEADLINE_MS', '0'],
    ['SHARED_STORE', 'sqlite'],
    ['DATABASE_URL', 'postgres://localhost/tillstream'],
    ['DATABASE_TLS', 'require'],
    ['DATABASE_CONNECTIONS', '1'],
    ['EVENTSTOREDB_WAIT_MS', 'long'],
    ['RATE_LIMIT_PER_SECOND', '1.5'],
    ['PROCESSOR_DEADLINE_MS', '0'],
    ['TERMINAL_DEADLINE_MS', '9999'],
    ['INQUIRY_STEPS_MS', '1000,,2000'],
    ['IDEMPOTENCY_ANSWER_KEY', 'c2hvcnQ='],
    ['IDEMPOTENCY_ANSWER_KEY', `${'A'.repeat(43)}`],
    ['SANDBOX_TERMINALS', '1001'],
    ['FORM_LIMITS', 'never'],
    ['FORM_LIMIT_IP_SUBMISSIONS_PER_10_MINUTES', '-1'],
    ['FORM_LIMIT_IP_DECLINES_PER_10_MINUTES', 'ten'],
    ['FORM_LIMIT_BIN_DECLINES_PER_10_MINUTES', '1.5'],
    ['FORM_LIMIT_MERCHANT_DECLINES_PER_10_MINUTES', '1000001'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.1,,10.0.0.2'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/0'],
    ['TRUSTED_PROXIES', '2001:db8::/129'],
    ['SANDBOX_PAGE_HOSTS', 'http://till.example/'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'file:///tmp/x'],
    ['SANDBOX_CRASH_POINT', 'before-send'],
    ['SANDBOX_CRASH_POINT', 'before-send:0'],
    ['SANDBOX_CRASH_POINT', 'elsewhere:1'],
  ])('refuses %s=%s with one sentence that names the setting', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is [^\n]+\\.$`));
  });

  it('never repeats a secret', () => {
    expect(() => readConfig({ IDEMPOTENCY_ANSWER_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
    const url = 'esdb://admin:hunter2@localhost:2113?tsl=true';
    expect(() => readConfig({ EVENTSTOREDB_URL: url })).toThrow(/^(?!.*hunter2).*there is no setting 'tsl'/);
  });

  it('refuses EventStoreDB without its address, and says which setting is missing', () => {
    expect(() => readConfig({ EVENT_STORE: 'eventstoredb' })).toThrow(
      /^EVENTSTOREDB_URL is missing, [^\n]+\.$/,
    );
  });

  it('accepts one node, several, or the name of a cluster, with and without TLS', () => {
    for (const EVENTSTOREDB_URL of [
      'esdb://localhost:2113?tls=false',
      'esdb://admin:changeit@a:2113,b:2113,c:2113',
      'esdb+discover://admin:changeit@cluster.internal:2113?nodePreference=leader',
    ]) {
      const { eventStoreDb } = readConfig({ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL });
      expect(eventStoreDb).toEqual({ url: EVENTSTOREDB_URL, deadline: 1_500, wait: 30_000 });
    }
  });
});

describe('The table of settings', () => {
  it('is complete in .env.example, which `npm run env-example` writes', () => {
    const content = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8');
    expect(content).toBe(exampleEnvironment());
  });

  it('is complete in --help', () => {
    for (const { name, allowed } of settings) {
      expect(settingsHelp()).toContain(`  ${name}=`);
      expect(settingsHelp()).toContain(allowed);
    }
  });

  it('accepts its own defaults', () => {
    const given = Object.fromEntries(settings.map(({ name, byDefault }) => [name, byDefault]));
    expect(readConfig(given)).toEqual(readConfig({}));
  });
});
