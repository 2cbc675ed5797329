import { ImpossibleHistory } from '../shared/aggregate.js';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  MAX_WEBHOOK_URL_LENGTH,
  rotateWebhookSecret,
  type WebhookEndpointChange,
} from './webhook-endpoint.decide.js';
import {
  findWebhookEndpoint,
  foldWebhookEndpoints,
  merchantOfWebhookEndpoints,
  signingSecrets,
  webhookEndpointsStream,
  type WebhookEndpointCreated,
  type WebhookEndpointEvent,
  type WebhookEndpoints,
} from './webhook-endpoint.js';
import {
  created,
  creation,
  FIRST,
  given,
  LEGACY,
  legacyCreated,
  managedId,
  minutes,
} from './testing/histories.testing.js';

const at = minutes(1);
const of = { at, endpointId: FIRST };
const toCreate =
  (more: Partial<WebhookEndpointCreated> = {}) =>
  (state: WebhookEndpoints) =>
    createWebhookEndpoint(state, { ...creation, ...more });
const toChange = (change: Partial<WebhookEndpointChange>) => (state: WebhookEndpoints) =>
  changeWebhookEndpoint(state, { ...of, ...change });
const toRotate =
  (endpointId = FIRST) =>
  (state: WebhookEndpoints) =>
    rotateWebhookSecret(state, { at, endpointId, secret: 'c2Vjb25k' });
const toDelete = (state: WebhookEndpoints) => deleteWebhookEndpoint(state, of);
const disabled: WebhookEndpointEvent = { type: 'WebhookEndpointDisabled', data: of };
const deleted: WebhookEndpointEvent = { type: 'WebhookEndpointDeleted', data: of };

describe('a webhook endpoint', () => {
  it('is created once, even if the command is repeated', () => {
    given().when(toCreate()).then(created());
    given(created()).when(toCreate()).thenNothing();
  });

  it('is created with each type once', () => {
    const eventTypes = ['sale.completed', 'void.completed', 'sale.completed'];
    given()
      .when(toCreate({ eventTypes }))
      .then(created({ eventTypes: ['sale.completed', 'void.completed'] }));
  });

  it(`is one of at most ${MAX_WEBHOOK_ENDPOINTS} of the merchant, legacy ones included; deleted ones do not count`, () => {
    const many = Array.from({ length: MAX_WEBHOOK_ENDPOINTS - 1 }, (_, number) =>
      created({ endpointId: managedId(number) }),
    );
    const next = toCreate({ endpointId: managedId(MAX_WEBHOOK_ENDPOINTS) });
    expect(given(many).when(next).events).toHaveLength(1);
    given(many, legacyCreated).when(next).thenRejected('TooManyEndpoints');
    expect(given(many, legacyCreated, deleted).when(next).events).toHaveLength(1);
  });

  it('names at least one type', () => {
    given()
      .when(toCreate({ eventTypes: [] }))
      .thenRejected('EventTypesMissing');
    given(created())
      .when(toChange({ eventTypes: [] }))
      .thenRejected('EventTypesMissing');
  });

  it.each(['sale.finished', 'SALE.COMPLETED', '', 'toString'])(
    'never names the unknown type "%s"',
    (type) => {
      const eventTypes = ['sale.completed', type];
      given().when(toCreate({ eventTypes })).thenRejected('EventTypeUnknown');
      given(created()).when(toChange({ eventTypes })).thenRejected('EventTypeUnknown');
    },
  );

  it('names a merchant lifecycle type only if it is managed', () => {
    const lifecycle = { eventTypes: ['merchant.approved'] };
    expect(given().when(toCreate(lifecycle)).events).toHaveLength(1);
    given()
      .when(toCreate({ ...lifecycle, endpointId: LEGACY, method: 'Legacy' }))
      .thenRejected('EventTypeUnknown');
    given(legacyCreated)
      .when(toChange({ ...lifecycle, endpointId: LEGACY }))
      .thenRejected('EventTypeUnknown');
  });

  it('may name all types and an opt-in type besides', () => {
    const eventTypes = ['*', 'payment.returned'];
    given().when(toCreate({ eventTypes })).then(created({ eventTypes }));
  });

  it('has an address of bounded length', () => {
    const url = `https://shop.example/${'a'.repeat(MAX_WEBHOOK_URL_LENGTH - 21)}`;
    expect(given().when(toCreate({ url })).events).toHaveLength(1);
    given()
      .when(toCreate({ url: `${url}a` }))
      .thenRejected('UrlTooLong');
    given(created())
      .when(toChange({ url: `${url}a` }))
      .thenRejected('UrlTooLong');
  });

  it('changes only what differs, and records the time', () => {
    given(created())
      .when(toChange({ url: creation.url, description: 'Second shop' }))
      .then({ type: 'WebhookEndpointChanged', data: { ...of, description: 'Second shop' } });
    const change = given(created()).when(toChange({ description: 'Second shop' })).and;
    expect(findWebhookEndpoint(change.state, FIRST)).toMatchObject({
      url: creation.url,
      description: 'Second shop',
      createdAt: creation.at,
      updatedAt: at,
    });
  });

  it('does not change by the same settings, in whatever order its types are', () => {
    const eventTypes = ['void.completed', 'sale.completed'];
    given(created({ eventTypes }))
      .when(toChange({ ...creation, ...of, eventTypes: [...eventTypes].reverse() }))
      .thenNothing();
  });

  it('is disabled and enabled by its merchant; a repeated command adds no event', () => {
    given(created())
      .when(toChange({ status: 'Disabled' }))
      .then(disabled);
    given(created(), disabled)
      .when(toChange({ status: 'Disabled' }))
      .thenNothing();
    given(created(), disabled)
      .when(toChange({ status: 'Enabled' }))
      .then({ type: 'WebhookEndpointEnabled', data: of });
    given(created())
      .when(toChange({ status: 'Enabled' }))
      .thenNothing();
  });

  it('can change and be enabled at once', () => {
    given(created(), disabled)
      .when(toChange({ url: 'https://new.example', status: 'Enabled' }))
      .then(
        { type: 'WebhookEndpointChanged', data: { url: 'https://new.example' } },
        { type: 'WebhookEndpointEnabled', data: of },
      );
  });

  it('that was deleted or never created is not found', () => {
    for (const history of [[], [created(), deleted]]) {
      for (const command of [toChange({ description: 'x' }), toRotate(), toDelete]) {
        given(history).when(command).thenRejected('EndpointNotFound');
      }
    }
    expect(given(created(), deleted).state.endpoints).toEqual([]);
  });
});

describe('the secret of a webhook endpoint', () => {
  it('that was rotated signs beside the new one for 24 h', () => {
    const oldSecretUntil = minutes(1 + 24 * 60);
    const rotation = given(created()).when(toRotate());
    rotation.then({ type: 'WebhookSecretRotated', data: { ...of, secret: 'c2Vjb25k', oldSecretUntil } });
    const [endpoint] = rotation.and.state.endpoints;
    if (!endpoint) throw new Error('the endpoint exists');
    expect(signingSecrets(endpoint, minutes(24 * 60))).toEqual(['c2Vjb25k', creation.secret]);
    expect(signingSecrets(endpoint, oldSecretUntil)).toEqual(['c2Vjb25k']);
  });

  it('before the last two rotations never signs', () => {
    const again = (state: WebhookEndpoints) => rotateWebhookSecret(state, { ...of, secret: 'dGhpcmQ=' });
    const [endpoint] = given(created()).when(toRotate()).and.when(again).and.state.endpoints;
    if (!endpoint) throw new Error('the endpoint exists');
    expect(signingSecrets(endpoint, at)).toEqual(['dGhpcmQ=', 'c2Vjb25k']);
  });

  it('of a legacy endpoint stops signing at once when it is rotated', () => {
    const [endpoint] = given(legacyCreated).when(toRotate(LEGACY)).and.state.endpoints;
    if (!endpoint) throw new Error('the endpoint exists');
    expect(signingSecrets(endpoint, at)).toEqual(['c2Vjb25k']);
  });
});

describe('the history of webhook endpoints', () => {
  it('is in a stream that is named by the merchant', () => {
    const merchantId = 'mer_01JQ0000000000000000000000';
    expect(webhookEndpointsStream(merchantId)).toBe(`webhookendpoints-${merchantId}`);
    expect(merchantOfWebhookEndpoints(webhookEndpointsStream(merchantId))).toBe(merchantId);
  });

  it.each<[string, readonly WebhookEndpointEvent[]]>([
    ['creates an endpoint twice', [created(), created()]],
    ['creates a legacy endpoint with the id of a managed one', [created({ method: 'Legacy' })]],
    ['deletes an endpoint twice', [created(), deleted, deleted]],
    ['disables what does not exist', [disabled]],
    ['disables an endpoint twice', [created(), disabled, disabled]],
    ['enables an enabled endpoint', [created(), { type: 'WebhookEndpointEnabled', data: of }]],
    [
      'disables a legacy endpoint for failures',
      [
        legacyCreated,
        { type: 'WebhookEndpointDisabled', data: { at, endpointId: LEGACY, reason: 'Failing' } },
      ],
    ],
  ])('that %s is impossible', (_title, history) => {
    expect(() => foldWebhookEndpoints(history)).toThrow(ImpossibleHistory);
  });
});
