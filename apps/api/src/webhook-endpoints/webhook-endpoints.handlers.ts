import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { WebhookEndpoint, WebhookMethod } from '@tillstream/domain';
import type {
  NewWebhookEndpoint,
  WebhookEndpointRegistry,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
} from '@tillstream/payments';
import { WEBHOOK_ENDPOINTS } from '../api.parts.js';

/* Repeated under the same command id, a command does nothing a second time. Merchants and operators use the same ones. */

type EndpointChange = Parameters<WebhookEndpointRegistry['change']>[2];

export class CreateWebhookEndpoint extends Command<WebhookEndpointWithSecret> {
  constructor(
    readonly request: WebhookEndpointRequest,
    readonly endpoint: NewWebhookEndpoint,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhookEndpoint)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpoint> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  execute({ request, endpoint }: CreateWebhookEndpoint): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.create(request, endpoint);
  }
}

export class ChangeWebhookEndpoint extends Command<WebhookEndpoint> {
  constructor(
    readonly request: WebhookEndpointRequest,
    readonly endpointId: string,
    readonly change: EndpointChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhookEndpoint)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpoint> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  execute({ request, endpointId, change }: ChangeWebhookEndpoint): Promise<WebhookEndpoint> {
    return this.endpoints.change(request, endpointId, change);
  }
}

export class RotateWebhookSecret extends Command<WebhookEndpointWithSecret> {
  constructor(
    readonly request: WebhookEndpointRequest,
    readonly endpointId: string,
    readonly secret?: string,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  execute({ request, endpointId, secret }: RotateWebhookSecret): Promise<WebhookEndpointWithSecret> {
    return this.endpoints.rotateSecret(request, endpointId, secret);
  }
}

export class DeleteWebhookEndpoint extends Command<WebhookEndpoint> {
  constructor(
    readonly request: WebhookEndpointRequest,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhookEndpoint)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpoint> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  execute({ request, endpointId }: DeleteWebhookEndpoint): Promise<WebhookEndpoint> {
    return this.endpoints.delete(request, endpointId);
  }
}

export class ListWebhookEndpoints extends Query<readonly WebhookEndpoint[]> {
  constructor(
    readonly merchantId: string,
    readonly method: WebhookMethod,
  ) {
    super();
  }
}

@QueryHandler(ListWebhookEndpoints)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpoints> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  execute({ merchantId, method }: ListWebhookEndpoints): Promise<readonly WebhookEndpoint[]> {
    return this.endpoints.list(merchantId, method);
  }
}

/** Undefined: unknown, deleted, another merchant's, or of the other method. */
export class FindWebhookEndpoint extends Query<WebhookEndpoint | undefined> {
  constructor(
    readonly merchantId: string,
    readonly method: WebhookMethod,
    readonly endpointId: string,
  ) {
    super();
  }
}

@QueryHandler(FindWebhookEndpoint)
export class FindWebhookEndpointHandler implements IQueryHandler<FindWebhookEndpoint> {
  constructor(@Inject(WEBHOOK_ENDPOINTS) private readonly endpoints: WebhookEndpointRegistry) {}

  execute({ merchantId, method, endpointId }: FindWebhookEndpoint): Promise<WebhookEndpoint | undefined> {
    return this.endpoints.find(merchantId, method, endpointId);
  }
}

export const WEBHOOK_ENDPOINT_HANDLERS = [
  CreateWebhookEndpointHandler,
  ChangeWebhookEndpointHandler,
  RotateWebhookSecretHandler,
  DeleteWebhookEndpointHandler,
  ListWebhookEndpointsHandler,
  FindWebhookEndpointHandler,
];
