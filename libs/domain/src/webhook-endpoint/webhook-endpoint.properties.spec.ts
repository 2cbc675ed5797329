import fc from 'fast-check';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  rotateWebhookSecret,
  type WebhookEndpointDecision,
} from './webhook-endpoint.decide.js';
import {
  evolveWebhookEndpoints,
  foldWebhookEndpoints,
  noWebhookEndpoints,
  signingSecrets,
  webhookEndpointCodec,
  type WebhookEndpointEvent,
  type WebhookEndpoints,
} from './webhook-endpoint.js';
import { EVENT_TYPES_OF, LIFECYCLE_EVENT_TYPES, subscribesTo } from './webhook-event.types.js';
import { minutes } from './testing/histories.testing.js';

/** The long proof sets `PROPERTY_RUNS=100000`. */
const options = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100) };
const LIMIT = 30_000 + options.numRuns * 10;

const method = fc.constantFrom('Managed' as const, 'Legacy' as const);
/** More ids than a merchant can have endpoints. */
const number = fc.nat({ max: MAX_WEBHOOK_ENDPOINTS + 5 });
const idOf = (of: 'Managed' | 'Legacy', index: number) =>
  `${of === 'Managed' ? 'whe_' : 'whl_'}01JQ${String(index).padStart(22, '0')}`;
const id = fc.tuple(method, number).map(([of, index]) => idOf(of, index));
const url = fc.constantFrom('https://a.example', 'https://b.example');
const eventTypes = fc.subarray(['*', 'sale.completed', 'merchant.approved', 'payment.returned', 'unknown']);
const status = fc.constantFrom('Enabled' as const, 'Disabled' as const);
const settings = fc.record(
  { url, eventTypes, status, description: fc.constantFrom('a', 'b') },
  { requiredKeys: [] },
);
const reason = fc.constantFrom('Gone' as const, 'Failing' as const);
const enabledAt = fc.nat({ max: 20 }).map(minutes);

type Command = (state: WebhookEndpoints, at: string) => WebhookEndpointDecision;
const creation: fc.Arbitrary<Command> = fc.tuple(method, number, fc.record({ url, eventTypes, status })).map(
  ([of, index, data]): Command =>
    (state, at) =>
      createWebhookEndpoint(state, {
        ...data,
        at,
        endpointId: idOf(of, index),
        method: of,
        secret: `secret of ${index}`,
      }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: creation },
  {
    weight: 3,
    arbitrary: fc.tuple(id, settings).map(
      ([endpointId, change]): Command =>
        (state, at) =>
          changeWebhookEndpoint(state, { at, endpointId, ...change }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ endpointId: id, reason, url, enabledAt }).map(
      (data): Command =>
        (state, at) =>
          disableWebhookEndpoint(state, { ...data, at }),
    ),
  },
  {
    weight: 2,
    arbitrary: id.map(
      (endpointId): Command =>
        (state, at) =>
          rotateWebhookSecret(state, { at, endpointId, secret: `secret at ${at}` }),
    ),
  },
  {
    weight: 1,
    arbitrary: id.map(
      (endpointId): Command =>
        (state, at) =>
          deleteWebhookEndpoint(state, { at, endpointId }),
    ),
  },
);
const commands = fc.array(command, { maxLength: 150, size: 'max' });

function simulate(
  all: readonly Command[],
  each: (state: WebhookEndpoints, run: Command, at: string) => void,
) {
  const history: WebhookEndpointEvent[] = [];
  let state = noWebhookEndpoints;
  for (const [minute, run] of all.entries()) {
    const decision = run(state, minutes(minute));
    if (decision.kind === 'Accepted') {
      history.push(...decision.events);
      state = decision.events.reduce(evolveWebhookEndpoints, state);
    }
    each(state, run, minutes(minute));
  }
  return { history, state };
}

describe('any sequence of commands to webhook endpoints', () => {
  it(
    'leaves at most 50 endpoints with unique ids, each with types of its method and one or two secrets',
    () => {
      fc.assert(
        fc.property(commands, (all) => {
          const most = { count: 0 };
          const { state } = simulate(all, ({ endpoints }) => {
            most.count = Math.max(most.count, endpoints.length);
          });
          expect(most.count).toBeLessThanOrEqual(MAX_WEBHOOK_ENDPOINTS);
          expect(new Set(state.endpoints.map((endpoint) => endpoint.id)).size).toBe(state.endpoints.length);
          for (const endpoint of state.endpoints) {
            const allowed: readonly string[] = ['*', ...EVENT_TYPES_OF[endpoint.method]];
            expect(endpoint.eventTypes.length).toBeGreaterThan(0);
            expect(endpoint.eventTypes.filter((type) => !allowed.includes(type))).toEqual([]);
            expect([1, 2]).toContain(signingSecrets(endpoint, endpoint.updatedAt).length);
          }
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'leaves no legacy endpoint with a lifecycle event, with two secrets, or disabled for failures',
    () => {
      fc.assert(
        fc.property(commands, (all) => {
          const { state } = simulate(all, () => undefined);
          for (const endpoint of state.endpoints) {
            if (endpoint.status === 'Enabled') expect(endpoint.disabledReason).toBeUndefined();
            if (endpoint.method === 'Managed') continue;
            expect(endpoint.disabledReason).not.toBe('Failing');
            expect(signingSecrets(endpoint, endpoint.updatedAt)).toHaveLength(1);
            for (const type of LIFECYCLE_EVENT_TYPES) expect(subscribesTo(endpoint, type)).toBe(false);
          }
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'gives a history that is stored and folds to the same endpoints',
    () => {
      fc.assert(
        fc.property(commands, (all) => {
          const { history, state } = simulate(all, () => undefined);
          const stored = history.map((event) => webhookEndpointCodec.encode(event));
          const read = JSON.parse(JSON.stringify(stored)) as typeof stored;
          expect(foldWebhookEndpoints(read.map((event) => webhookEndpointCodec.decode(event)))).toEqual(
            state,
          );
        }),
        options,
      );
    },
    LIMIT,
  );

  it(
    'adds no event when it is repeated, except a rotation',
    () => {
      const withoutRotation = fc.array(
        fc.oneof(
          creation,
          fc.tuple(id, settings).map(
            ([endpointId, change]): Command =>
              (state, at) =>
                changeWebhookEndpoint(state, { at, endpointId, ...change }),
          ),
        ),
        { maxLength: 80 },
      );
      fc.assert(
        fc.property(withoutRotation, (all) => {
          simulate(all, (state, run, at) => {
            const again = run(state, at);
            if (again.kind === 'Accepted') expect(again.events).toEqual([]);
          });
        }),
        options,
      );
    },
    LIMIT,
  );
});
