import {
  accepted,
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  foldWebhookEndpoints,
  isId,
  rotateWebhookSecret,
  WEBHOOK_ENDPOINT_PREFIX,
  webhookEndpointCodec,
  webhookEndpointsStream,
  type AutomaticDisabling,
  type WebhookEndpoint,
  type WebhookEndpointChange,
  type WebhookEndpointDecision,
  type WebhookEndpointEvent,
  type WebhookEndpointRejection,
  type WebhookEndpoints,
  type WebhookMethod,
} from '@tillstream/domain';
import type { RecordedEvent } from '@tillstream/event-store';
import { idForCommand, newId } from '../identifiers.js';
import { merchantExists } from '../operators/merchant.existence.js';
import { iso } from '../ports/clock.port.js';
import {
  eventMetadata,
  fromRecorded,
  hasCommand,
  serviceActor,
} from '../stream-repository/event-metadata.js';
import { RecentStreams } from '../stream-repository/recent-streams.js';
import { StreamRepository, UNTIL_WRITTEN } from '../stream-repository/repositories.js';
import {
  requireEndpoint,
  requireMethod,
  WebhookEndpointRejected,
  type NewWebhookEndpoint,
  type WebhookEndpointParts,
  type WebhookEndpointRequest,
  type WebhookEndpointWithSecret,
} from './webhook-endpoint.types.js';
import { requireUrl, webhookUrlProblem, type UrlProblem } from './webhook-url.js';

/** About 2 MB. */
const RECENT_EVENTS_MAX = 4_000;

type Decide = (state: WebhookEndpoints, at: string) => WebhookEndpointDecision;

/**
 * The webhook endpoints of merchants (`docs/spec/webhooks.md#managed-endpoints`). Each change is stored as an event with the
 * actor's name. A change with the `commandId` of an earlier change has no effect and returns the endpoint. Methods reject
 * with `WebhookEndpointRejected`, `EventStoreError` or `VaultError`.
 */
export class WebhookEndpointRegistry {
  private readonly repository: StreamRepository<
    WebhookEndpoints,
    WebhookEndpointEvent,
    WebhookEndpointRejection
  >;

  constructor(private readonly parts: WebhookEndpointParts) {
    this.repository = new StreamRepository(
      parts,
      { codec: webhookEndpointCodec, fold: foldWebhookEndpoints },
      new RecentStreams<WebhookEndpoints>({ eventsMax: RECENT_EVENTS_MAX }),
    );
  }

  /** Without the deleted ones, in the order of creation. */
  async list(merchantId: string, method: WebhookMethod): Promise<readonly WebhookEndpoint[]> {
    const { state } = await this.repository.load(webhookEndpointsStream(merchantId));
    return state.endpoints.filter((endpoint) => endpoint.method === method);
  }

  /** Undefined: unknown, deleted, another merchant's, or of the other method. */
  async find(
    merchantId: string,
    method: WebhookMethod,
    endpointId: string,
  ): Promise<WebhookEndpoint | undefined> {
    return (await this.list(merchantId, method)).find(({ id }) => id === endpointId);
  }

  /** Undefined: the URL can be the address of an endpoint. `create` and `change` check it too. */
  urlProblem(url: string): UrlProblem | undefined {
    return webhookUrlProblem(url, this.parts);
  }

  /** The id of the endpoint that `create` makes: of a repeatable command always the same. */
  idFor({ method, commandId }: Pick<WebhookEndpointRequest, 'method' | 'commandId'>): string {
    const prefix = WEBHOOK_ENDPOINT_PREFIX[method];
    return commandId === undefined ? newId(prefix, this.parts.clock) : idForCommand(prefix, commandId);
  }

  async create(
    request: WebhookEndpointRequest,
    { secret: given, status = 'Enabled', ...endpoint }: NewWebhookEndpoint,
  ): Promise<WebhookEndpointWithSecret> {
    requireUrl(endpoint.url, this.parts);
    await this.requireMerchant(request.merchantId);
    const { method } = request;
    const endpointId = this.idFor(request);
    const secret = await this.sealedSecret(endpointId, given ?? this.parts.newSecret(method));
    const created = { ...endpoint, endpointId, method, status, secret };
    const { state } = await this.write(request, (before, at) =>
      createWebhookEndpoint(before, { at, ...created }),
    );
    return this.withSecret(state, endpointId);
  }

  /** Fields that are left out stay. */
  async change(
    request: WebhookEndpointRequest,
    endpointId: string,
    change: Omit<WebhookEndpointChange, 'at' | 'endpointId'>,
  ): Promise<WebhookEndpoint> {
    if (change.url !== undefined) requireUrl(change.url, this.parts);
    requireMethod(request, endpointId);
    const { state } = await this.write(request, (before, at) =>
      changeWebhookEndpoint(before, { ...change, at, endpointId }),
    );
    return requireEndpoint(state, endpointId);
  }

  /** Of a managed endpoint the old secret signs too for 24 h. */
  async rotateSecret(
    request: WebhookEndpointRequest,
    endpointId: string,
    given?: string,
  ): Promise<WebhookEndpointWithSecret> {
    requireMethod(request, endpointId);
    const secret = await this.sealedSecret(endpointId, given ?? this.parts.newSecret(request.method));
    const { state } = await this.write(request, (before, at) =>
      rotateWebhookSecret(before, { at, endpointId, secret }),
    );
    return this.withSecret(state, endpointId);
  }

  /** Returns the endpoint as it was before. */
  async delete(request: WebhookEndpointRequest, endpointId: string): Promise<WebhookEndpoint> {
    requireMethod(request, endpointId);
    let before: WebhookEndpoints | undefined;
    await this.write(
      request,
      (state, at) => {
        before = state;
        return deleteWebhookEndpoint(state, { at, endpointId });
      },
      (history) => {
        before = stateBefore(history, request.commandId);
      },
    );
    return requireEndpoint(before ?? { endpoints: [] }, endpointId);
  }

  /**
   * Disables an endpoint that answered 410 or failed for days. Nothing happens if the endpoint is not as it was observed
   * any more, so a repetition is harmless. Returns whether this call disabled it.
   */
  async disable(merchantId: string, observed: Omit<AutomaticDisabling, 'at'>): Promise<boolean> {
    const method = isId(WEBHOOK_ENDPOINT_PREFIX.Legacy, observed.endpointId) ? 'Legacy' : 'Managed';
    const { isChanged } = await this.write({ actor: serviceActor, merchantId, method }, (state, at) =>
      disableWebhookEndpoint(state, { ...observed, at }),
    );
    return isChanged;
  }

  private async write(
    { merchantId, commandId, actor, traceId }: WebhookEndpointRequest,
    decide: Decide,
    onRepeat?: (history: readonly RecordedEvent[]) => void,
  ): Promise<{ readonly state: WebhookEndpoints; readonly isChanged: boolean }> {
    const written = await this.repository.transact(
      webhookEndpointsStream(merchantId),
      { merchantId, actor, traceId, causationId: commandId },
      (state, history) => {
        if (commandId === undefined || !hasCommand(history, commandId))
          return decide(state, iso(this.parts.clock.now()));
        onRepeat?.(history);
        return accepted([], undefined);
      },
      { decisionsMax: UNTIL_WRITTEN },
    );
    if (written.kind === 'Rejected') throw new WebhookEndpointRejected(written.rejection);
    if (written.kind === 'Contended') throw new Error('the change of webhook endpoints was not written');
    return { state: written.loaded.state, isChanged: written.events.length > 0 };
  }

  private async requireMerchant(merchantId: string): Promise<void> {
    if (!(await merchantExists(this.parts.store, merchantId)))
      throw new WebhookEndpointRejected({ code: 'MerchantNotFound', message: 'There is no such merchant.' });
  }

  private sealedSecret(endpointId: string, secret: string): Promise<string> {
    return this.parts.sealer.seal(endpointId, secret);
  }

  /** Opens the stored secret: a repeated request shows the secret that its first run stored. */
  private async withSecret(state: WebhookEndpoints, endpointId: string): Promise<WebhookEndpointWithSecret> {
    const endpoint = requireEndpoint(state, endpointId);
    return { endpoint, secret: await this.parts.sealer.open(endpointId, endpoint.secret) };
  }
}

/** The state on which the command was decided. */
function stateBefore(history: readonly RecordedEvent[], commandId: string | undefined): WebhookEndpoints {
  const index = history.findIndex((event) => eventMetadata(event).causationId === commandId);
  return foldWebhookEndpoints(
    history.slice(0, index).map((event) => fromRecorded(webhookEndpointCodec, event)),
  );
}
