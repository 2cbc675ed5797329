import { defaultTimings } from '@tillstream/payments';
import { defaultBreakerSettings } from '@tillstream/processors';
import { defaultSendingLimits } from '@tillstream/webhook-delivery';
import { DATABASE_SETTINGS } from './database.settings.js';
import { furtherSandboxes, processorRoutes } from './processor.settings.js';
import {
  answerKey,
  boundedInteger,
  choice,
  crashPoint,
  eventStoreDbUrl,
  hostNames,
  httpAddress,
  millisecondsList,
  masterKeys,
  milliseconds,
  networks,
  optionalHttpAddress,
  optionalOrigin,
  optionalText,
  sharedSecret,
  text,
  type SettingsTable,
} from './setting.kinds.js';

/** Every setting of the service. Parsing, `--help` and `.env.example` follow from this table. */
export const SETTINGS = {
  mode: choice('MODE', ['sandbox', 'live'], 'sandbox').describe('Whether payments are simulated or live.'),
  port: boundedInteger('PORT', 0, 65_535, 3000).describe('Port of the API; 0 is any free one.'),
  host: text('HOST', '127.0.0.1').describe('Address that the API listens on; 0.0.0.0 is all of them.'),
  stopDelay: boundedInteger('STOP_DELAY_MS', 0, 60_000, 0).describe(
    'Behind a proxy that asks /health/ready: how long the API still takes requests after a signal to stop, while it says that it is not ready.',
  ),
  publicUrl: optionalOrigin('PUBLIC_URL').describe(
    'Where customers’ browsers reach the service, such as https://pay.example.com; links to hosted forms begin with it. Left out: the address it listens on.',
  ),
  settlementProjector: choice('SETTLEMENT_PROJECTOR', ['beside', 'elsewhere'], 'beside').describe(
    'Batches are closed by a process that the API starts beside it, or by one that is started on its own.',
  ),
  settlementProjectorPort: boundedInteger('SETTLEMENT_PROJECTOR_PORT', 0, 65_535, 0).describe(
    'Port of that process for its health and metrics; 0 is any free one.',
  ),
  webhookDispatcher: choice('WEBHOOK_DISPATCHER', ['beside', 'elsewhere'], 'beside').describe(
    'Webhooks are delivered by a process that the API starts beside it, or by those that are started on their own.',
  ),
  webhookDispatcherPort: boundedInteger('WEBHOOK_DISPATCHER_PORT', 0, 65_535, 0).describe(
    'Port of that process for its health and metrics; 0 is any free one.',
  ),
  webhookConcurrency: boundedInteger('WEBHOOK_CONCURRENCY', 8, 10_000, defaultSendingLimits.total).describe(
    'Deliveries that one such process may have under way at once: at most 8 for an endpoint, and a quarter of all for a merchant.',
  ),
  webhookAllowedSubnets: networks('WEBHOOK_ALLOWED_SUBNETS').describe(
    'Special addresses that deliveries may go to besides all public ones. Left out: loopback in sandbox mode, none in live mode.',
  ),
  dataDir: text('DATA_DIR', '.data').describe('Directory of the database files, created if missing.'),
  eventStore: choice('EVENT_STORE', ['sqlite', 'eventstoredb'], 'sqlite').describe(
    'Where the events are: in a file in DATA_DIR, or in EventStoreDB.',
  ),
  eventStoreDb: {
    url: eventStoreDbUrl('EVENTSTOREDB_URL').describe(
      'Address of EventStoreDB, with user and password; needed with EVENT_STORE=eventstoredb.',
    ),
    deadline: milliseconds('EVENTSTOREDB_DEADLINE_MS', 1_500).describe(
      'How long one call to EventStoreDB may take; below 2 s, a call without an answer is repeated before its client is answered.',
    ),
    wait: milliseconds('EVENTSTOREDB_WAIT_MS', 30_000).describe(
      'How long the start waits for EventStoreDB to answer.',
    ),
  },
  sharedStore: choice('SHARED_STORE', ['files', 'postgres'], 'files').describe(
    'Where idempotency keys, the work queue, leases, the service’s clock, the vault, the lists and the webhook deliveries are: in files in DATA_DIR, or in PostgreSQL, for several machines (with EVENT_STORE=eventstoredb).',
  ),
  database: DATABASE_SETTINGS,
  logLevel: choice(
    'LOG_LEVEL',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
  ).describe('The lowest level of logged lines (JSON, on stderr).'),
  rateLimitPerSecond: boundedInteger('RATE_LIMIT_PER_SECOND', 0, 1_000_000, 500).describe(
    'Requests a second and merchant, with a burst of twice that; 0 is no limit. A merchant can have its own.',
  ),
  requestsInFlightPerMerchant: boundedInteger('REQUESTS_IN_FLIGHT_PER_MERCHANT', 0, 100_000, 500).describe(
    'Requests of one merchant that may be in flight at once, without those that wait for a processor or a terminal; 0 is no limit.',
  ),
  trustedProxies: networks('TRUSTED_PROXIES').describe(
    'The proxies before the API, whose X-Forwarded-For is believed. Left out: the address of the connection is the client’s.',
  ),
  formLimits: {
    apply: choice('FORM_LIMITS', ['live', 'always'], 'live').describe(
      'Whether the limits of the hosted form against card testing apply in live mode only, or in the sandbox too.',
    ),
    ipSubmissions: boundedInteger('FORM_LIMIT_IP_SUBMISSIONS_PER_10_MINUTES', 0, 1_000_000, 100).describe(
      'Submissions of hosted forms from one client address (IPv6: its /64 network) in 10 minutes; 0 is no limit.',
    ),
    ipDeclines: boundedInteger('FORM_LIMIT_IP_DECLINES_PER_10_MINUTES', 0, 1_000_000, 10).describe(
      'Declined submissions from one client address in 10 minutes, for all merchants together; 0 is no limit.',
    ),
    binDeclines: boundedInteger('FORM_LIMIT_BIN_DECLINES_PER_10_MINUTES', 0, 1_000_000, 20).describe(
      'Declined submissions of cards with one BIN at one merchant in 10 minutes; each approval of them allows one more. 0 is no limit.',
    ),
    merchantDeclines: boundedInteger(
      'FORM_LIMIT_MERCHANT_DECLINES_PER_10_MINUTES',
      0,
      1_000_000,
      100,
    ).describe(
      'Declined submissions at one merchant in 10 minutes; each approval allows one more. 0 is no limit.',
    ),
  },
  resolveConfirmAbove: boundedInteger('RESOLVE_CONFIRM_ABOVE', 0, 999_999_999, 100_000).describe(
    'Live: cents of either currency; an operator who resolves an unknown outcome of more needs a second one.',
  ),
  answerKey: answerKey('IDEMPOTENCY_ANSWER_KEY').describe(
    'Encrypts the stored responses of Idempotency-Keys and the bodies of webhooks. Left out in sandbox mode: the first start makes one.',
  ),
  vaultMasterKey: masterKeys('VAULT_MASTER_KEY').describe(
    'Master key of the vault; while it is exchanged, the new one and the old one.',
  ),
  vaultMasterKeyFile: optionalText(
    'VAULT_MASTER_KEY_FILE',
    'path of a file that only its owner can read, with one key a line (openssl rand -base64 32), the current one first',
  ).describe(
    'The same in a file. Both left out in sandbox mode: vault.keys in DATA_DIR, made at the first start.',
  ),
  breaker: {
    failures: boundedInteger('BREAKER_FAILURES', 0, 1_000_000, defaultBreakerSettings.failures).describe(
      'This number of failed or unanswered calls opens the circuit breaker of a processor; 0: it never opens.',
    ),
    percent: boundedInteger('BREAKER_FAILURE_PERCENT', 1, 100, defaultBreakerSettings.percent).describe(
      'The failed calls must also be this percentage of the calls that reached the processor.',
    ),
    windowMs: milliseconds('BREAKER_WINDOW_MS', defaultBreakerSettings.windowMs).describe(
      'Time over which both are counted.',
    ),
    openMs: milliseconds('BREAKER_OPEN_MS', defaultBreakerSettings.openMs).describe(
      'Time for which the breaker stays open; then it admits one trial call.',
    ),
  },
  minFreeDisk: boundedInteger('MIN_FREE_DISK_MB', 0, 1_000_000_000, 200).describe(
    'With less free space on the disk of DATA_DIR the service is not ready; 0: no check.',
  ),
  otlpEndpoint: optionalHttpAddress('OTEL_EXPORTER_OTLP_ENDPOINT').describe(
    'A collector of OpenTelemetry, such as http://localhost:4318: where traces are sent (OTLP over HTTP, in JSON). Left out: none are made.',
  ),
  tracePercent: boundedInteger('TRACE_PERCENT', 0, 100, 100).describe(
    "Percentage of the traces that begin here and are sent; a caller's traceparent decides about its own traces.",
  ),
  sandbox: choice('SANDBOX', ['embedded', 'network'], 'embedded').describe(
    'Sandbox: in this process, with its ledger in DATA_DIR, or a service of its own (apps/sandbox).',
  ),
  sandboxUrl: httpAddress('SANDBOX_URL', 'http://127.0.0.1:3100').describe(
    'Address of that service. Numbers of test cards travel there: loopback, a private network, or https.',
  ),
  sandboxSecret: sharedSecret('SANDBOX_SECRET').describe(
    'The secret that the API and the sandbox service share; needed with SANDBOX=network, and by the service itself.',
  ),
  sandboxConnections: boundedInteger('SANDBOX_CONNECTIONS', 1, 10_000, 500).describe(
    'Calls to that service that may be under way at once; a payment beyond them is refused unsent.',
  ),
  moreSandboxes: furtherSandboxes('MORE_SANDBOXES').describe(
    'Sandbox: further simulated processors besides the first, each with its own ledger; those at an address use SANDBOX_SECRET.',
  ),
  processorRoutes: processorRoutes('PROCESSOR_ROUTES', '*/*/*=sandbox:sandbox').describe(
    "Which processor a new payment goes to, and under which of the merchant's accounts with it: the first route that fits. A payment stays with its processor.",
  ),
  sandboxTerminals: boundedInteger('SANDBOX_TERMINALS', 0, 1_000, 0).describe(
    'Sandbox: number of further USD terminals for the demo merchant.',
  ),
  sandboxBrokenWordDelay: milliseconds('SANDBOX_BROKEN_WORD_DELAY_MS', 20_000).describe(
    'Sandbox: how long after the deadline amount 920006 is executed late.',
  ),
  sandboxLists: choice('SANDBOX_LISTS', ['on', 'off'], 'on').describe(
    'Sandbox: off keeps no lists up to date, to measure what that costs.',
  ),
  sandboxPageHosts: hostNames('SANDBOX_PAGE_HOSTS').describe(
    'Sandbox: further host names of the terminals’ pages, besides addresses and names without a dot. The pages need no key.',
  ),
  sandboxCrashPoint: crashPoint('SANDBOX_CRASH_POINT').describe(
    'Sandbox: kill (or stop) this process at this crash point, for proofs.',
  ),
  timings: {
    sendWithin: milliseconds('SEND_WITHIN_MS', defaultTimings.sendWithin).describe(
      'From the request to the last moment at which it may be sent.',
    ),
    processorDeadline: milliseconds('PROCESSOR_DEADLINE_MS', defaultTimings.processorDeadline).describe(
      'How long a processor may take to answer.',
    ),
    terminalDeadline: milliseconds('TERMINAL_DEADLINE_MS', defaultTimings.terminalDeadline).describe(
      'How long a terminal may take, its customer included.',
    ),
    margin: milliseconds('INQUIRY_MARGIN_MS', defaultTimings.margin).describe(
      'After the deadline, before the first inquiry into an unknown outcome.',
    ),
    bankAnswerWithin: milliseconds('BANK_ANSWER_WITHIN_MS', defaultTimings.bankAnswerWithin).describe(
      'After a bank accepted a payment, before the first inquiry into its answer; a notice of the bank comes sooner.',
    ),
    authorizationLifetime: milliseconds(
      'AUTHORIZATION_LIFETIME_MS',
      defaultTimings.authorizationLifetime,
    ).describe('How long an authorization can be captured.'),
    challengeLifetime: milliseconds('CHALLENGE_LIFETIME_MS', defaultTimings.challengeLifetime).describe(
      'The time that a cardholder has for a 3-D Secure challenge, by the service’s clock.',
    ),
    formLifetime: milliseconds('FORM_LIFETIME_MS', defaultTimings.formLifetime).describe(
      'How long a hosted form waits for its customer.',
    ),
    inquirySteps: millisecondsList('INQUIRY_STEPS_MS', defaultTimings.inquirySteps).describe(
      'From one inquiry to the next.',
    ),
    inquiryEvery: milliseconds('INQUIRY_EVERY_MS', defaultTimings.inquiryEvery).describe(
      'After those steps: this often …',
    ),
    inquiriesFor: milliseconds('INQUIRIES_FOR_MS', defaultTimings.inquiriesFor).describe(
      '… for so long; then an operator decides.',
    ),
    lateChecks: millisecondsList('LATE_CHECKS_MS', defaultTimings.lateChecks).describe(
      'Times of the late inquiries, after an operation was closed as not executed.',
    ),
    idempotencyLifetime: milliseconds('IDEMPOTENCY_LIFETIME_MS', defaultTimings.idempotencyLifetime).describe(
      'How long an Idempotency-Key is kept.',
    ),
  },
} as const satisfies SettingsTable;

/** The settings of `apps/sandbox` alone. */
export const SANDBOX_SERVICE_ONLY_SETTINGS = {
  port: boundedInteger('SANDBOX_PORT', 0, 65_535, 3100).describe(
    'Port of the sandbox service; 0 is any free one.',
  ),
  host: text('SANDBOX_HOST', '127.0.0.1').describe(
    'Address that the sandbox service listens on, without TLS: loopback, a private network, or behind a proxy that ends TLS.',
  ),
  dataDir: text('SANDBOX_DATA_DIR', '.sandbox').describe(
    "Directory of the sandbox service's ledger, created if missing.",
  ),
} as const satisfies SettingsTable;

/** All settings of `apps/sandbox`. Those that the API shares must have the same values there. */
export const SANDBOX_SERVICE_SETTINGS = {
  ...SANDBOX_SERVICE_ONLY_SETTINGS,
  secret: SETTINGS.sandboxSecret,
  processorDeadline: SETTINGS.timings.processorDeadline,
  brokenWordDelay: SETTINGS.sandboxBrokenWordDelay,
  logLevel: SETTINGS.logLevel,
} as const satisfies SettingsTable;
