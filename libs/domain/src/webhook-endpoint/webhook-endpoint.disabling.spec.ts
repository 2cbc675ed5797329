import { disableWebhookEndpoint, type AutomaticDisabling } from './webhook-endpoint.decide.js';
import { findWebhookEndpoint, type WebhookEndpointEvent, type WebhookEndpoints } from './webhook-endpoint.js';
import { created, FIRST, given, LEGACY, legacyCreated, minutes, URL } from './testing/histories.testing.js';

const gone: AutomaticDisabling = {
  at: minutes(10),
  endpointId: FIRST,
  reason: 'Gone',
  url: URL,
  enabledAt: minutes(0),
};
const toDisable =
  (more: Partial<AutomaticDisabling> = {}) =>
  (state: WebhookEndpoints) =>
    disableWebhookEndpoint(state, { ...gone, ...more });
const disabled: WebhookEndpointEvent = {
  type: 'WebhookEndpointDisabled',
  data: { at: minutes(10), endpointId: FIRST, reason: 'Gone' },
};
const enabledAt = (at: string): WebhookEndpointEvent => ({
  type: 'WebhookEndpointEnabled',
  data: { at, endpointId: FIRST },
});
const movedTo = (url: string): WebhookEndpointEvent => ({
  type: 'WebhookEndpointChanged',
  data: { at: minutes(9), endpointId: FIRST, url },
});

describe('a webhook endpoint that the service disables', () => {
  it('shows the reason until it is enabled again', () => {
    given(created()).when(toDisable()).then(disabled);
    expect(findWebhookEndpoint(given(created(), disabled).state, FIRST)).toMatchObject({
      status: 'Disabled',
      disabledReason: 'Gone',
    });
    const again = findWebhookEndpoint(given(created(), disabled, enabledAt(minutes(11))).state, FIRST);
    expect(again).toMatchObject({ status: 'Enabled', enabledAt: minutes(11) });
    expect(again).not.toHaveProperty('disabledReason');
  });

  it('is disabled once, even if several attempts were answered 410', () => {
    given(created(), disabled).when(toDisable()).thenNothing();
  });

  it('may have been deleted before', () => {
    given().when(toDisable()).thenNothing();
  });

  it('stays enabled if another address answered', () => {
    given(created(), movedTo('https://new.example')).when(toDisable()).thenNothing();
  });

  it('stays enabled if it was enabled after the attempt', () => {
    const history = [created(), disabled, enabledAt(minutes(11))];
    given(history).when(toDisable()).thenNothing();
    expect(given(history).when(toDisable({ enabledAt: minutes(11) })).events).toHaveLength(1);
  });

  it('is a managed one if it failed for days; 410 disables a legacy one too', () => {
    const failing = { reason: 'Failing' } as const;
    expect(given(created()).when(toDisable(failing)).events).toHaveLength(1);
    given(legacyCreated)
      .when(toDisable({ ...failing, endpointId: LEGACY }))
      .thenRejected('NeverFailing');
    expect(given(legacyCreated).when(toDisable({ endpointId: LEGACY })).events).toHaveLength(1);
  });
});
