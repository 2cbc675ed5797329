import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { CallerGuard } from './access/caller.guard.js';
import { AccountHoldersModule } from './account-holders/account-holders.module.js';
import type { ApiParts, ListeningAddress } from './api.parts.js';
import { DocsModule } from './docs/docs.controllers.js';
import { HealthModule } from './health/health.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { UnknownPathsModule } from './http/fallback.controllers.js';
import { RequestGuard } from './http/request.guard.js';
import { RequestPipe } from './http/request.pipe.js';
import { HostedFormModule } from './hosted-form/hosted-form.module.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { MetricsModule } from './metrics/metrics.controller.js';
import { OPERATOR_MODULES } from './operators/operator.modules.js';
import { PaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { SettlementsModule } from './settlements/settlements.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';
import { WebhookDeliveriesModule } from './webhook-deliveries/webhook-deliveries.module.js';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module.js';

/** The HTTP API on the parts of the service, which are created before Nest starts. */
@Module({})
export class ApiModule {
  static of(parts: ApiParts, address: ListeningAddress): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        InfrastructureModule.of(parts, address),
        AccessModule,
        HealthModule,
        TransactionsModule,
        PaymentMethodsModule,
        AccountHoldersModule,
        WebhookEndpointsModule,
        WebhookDeliveriesModule,
        SettlementsModule,
        HostedFormModule,
        ...(parts.adapters.sandbox ? [SandboxModule] : []),
        ...OPERATOR_MODULES,
        MetricsModule,
        DocsModule,
        UnknownPathsModule,
      ],
      // For every route; the guards run in this order.
      providers: [
        { provide: APP_GUARD, useClass: CallerGuard },
        { provide: APP_GUARD, useClass: RequestGuard },
        { provide: APP_PIPE, useClass: RequestPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
