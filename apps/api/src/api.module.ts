import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { AccountHoldersModule } from './account-holders/account-holders.module.js';
import type { ApiParts, ListeningAddress } from './api.parts.js';
import { DocsModule } from './docs/docs.module.js';
import { HealthModule } from './health/health.module.js';
import { UnknownPathsModule } from './http/fallback.controllers.js';
import { HttpModule } from './http/http.module.js';
import { InfrastructureModule } from './infrastructure.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OperatorsModule } from './operators/operators.module.js';
import { PaymentMethodsModule } from './payment-methods/payment-methods.module.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { TransactionsModule } from './transactions/transactions.module.js';

/** The HTTP API on the parts of the service, which are created before Nest starts. */
@Module({})
export class ApiModule {
  static of(parts: ApiParts, address: ListeningAddress): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        InfrastructureModule.of(parts, address),
        AccessModule,
        HttpModule,
        HealthModule,
        TransactionsModule,
        PaymentMethodsModule,
        AccountHoldersModule,
        ...(parts.adapters.sandbox ? [SandboxModule] : []),
        OperatorsModule,
        MetricsModule,
        DocsModule,
        UnknownPathsModule,
      ],
    };
  }
}
