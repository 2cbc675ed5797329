import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { CREDENTIAL_CLASSES } from './access/caller.kinds.js';
import { CallerGuard, CREDENTIALS } from './access/caller.guard.js';
import type { Credential } from './access/credential.js';
import { RouteCallersCheck } from './access/route.check.js';
import { ACCOUNT_HOLDER_HANDLERS } from './account-holders/account-holder.handlers.js';
import { ACCOUNT_HOLDER_QUERY_HANDLERS } from './account-holders/account-holder.queries.js';
import { AccountHoldersController } from './account-holders/account-holders.controller.js';
import * as tokens from './api.parts.js';
import type { ApiParts, ListeningAddress } from './api.parts.js';
import { ApiDocuments } from './docs/api.documents.js';
import { DocsController, OperatorsDocumentController } from './docs/docs.controllers.js';
import { HealthController } from './health/health.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { UnknownMerchantPaths, UnknownOperatorPaths, UnknownPaths } from './http/fallback.controllers.js';
import { AdminKeysController } from './operators/admin-keys.controller.js';
import { ApiKeysController } from './operators/api-keys.controller.js';
import { BatchesController } from './operators/batches.controller.js';
import { BATCH_HANDLERS } from './operators/batches.handlers.js';
import { MerchantsController } from './operators/merchants.controller.js';
import { PROVISIONING_HANDLERS } from './operators/merchants.handlers.js';
import { PROVISIONING_QUERY_HANDLERS } from './operators/merchants.queries.js';
import { OperatorPaymentMethodsController } from './operators/payment-methods.controller.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { ProcessorsController } from './operators/processors.controller.js';
import { PROCESSOR_HANDLERS } from './operators/processors.handlers.js';
import { ProjectionsController } from './operators/projections.controller.js';
import { PROJECTION_HANDLERS } from './operators/projections.handlers.js';
import { UnknownOutcomesController } from './operators/unknown-outcomes.controller.js';
import { UNKNOWN_OUTCOME_HANDLERS } from './operators/unknown-outcomes.handlers.js';
import { HolderTokensController } from './payment-methods/holder-tokens.controller.js';
import { PaymentMethodsController } from './payment-methods/payment-methods.controller.js';
import { TOKEN_HANDLERS } from './payment-methods/token.handlers.js';
import { TokensController } from './payment-methods/tokens.controller.js';
import { SandboxClockController } from './sandbox/clock.controller.js';
import { TerminalDesk } from './sandbox/terminal.desk.js';
import { TerminalPageDataController } from './sandbox/terminal-page/terminal-page.data.controller.js';
import { TerminalPagesController } from './sandbox/terminal-page/terminal-pages.controller.js';
import { TerminalRegister } from './sandbox/terminal.register.js';
import { SandboxTerminalsController } from './sandbox/terminals.controller.js';
import { KeptAnswers } from './transactions/kept.answers.js';
import { OperationEndpoint } from './transactions/operation.endpoint.js';
import { OPERATION_HANDLERS } from './transactions/operation.handlers.js';
import { OperationsController } from './transactions/operations.controller.js';
import { ShownTransactions } from './transactions/shown.transactions.js';
import { TRANSACTION_QUERY_HANDLERS } from './transactions/transaction.queries.js';
import { TransactionsController } from './transactions/transactions.controller.js';

/** The HTTP API over parts that were made before it. */
@Module({})
export class ApiModule {
  static of(parts: ApiParts, address: ListeningAddress): DynamicModule {
    const { adapters } = parts;
    const sandbox = adapters.sandbox
      ? [
          SandboxTerminalsController,
          SandboxClockController,
          TerminalPagesController,
          TerminalPageDataController,
        ]
      : [];
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot()],
      // The order counts: what nothing else answers is unknown.
      controllers: [
        HealthController,
        OperationsController,
        TransactionsController,
        PaymentMethodsController,
        TokensController,
        HolderTokensController,
        AccountHoldersController,
        ...sandbox,
        MerchantsController,
        ApiKeysController,
        OperatorPaymentMethodsController,
        AdminKeysController,
        UnknownOutcomesController,
        BatchesController,
        ProjectionsController,
        ProcessorsController,
        MetricsController,
        DocsController,
        OperatorsDocumentController,
        UnknownMerchantPaths,
        UnknownOperatorPaths,
        UnknownPaths,
      ],
      providers: [
        { provide: tokens.PAYMENTS, useValue: parts.payments },
        { provide: tokens.STORED_CARDS, useValue: parts.storedCards },
        { provide: tokens.ACCOUNT_HOLDERS, useValue: parts.accountHolders },
        { provide: tokens.LISTS, useValue: parts.lists },
        { provide: tokens.VAULT, useValue: adapters.vault },
        { provide: tokens.DIRECTORY, useValue: parts.directory },
        { provide: tokens.PROVISIONING, useValue: parts.provisioning },
        { provide: tokens.MODE, useValue: parts.mode },
        { provide: tokens.RESOLVER, useValue: parts.resolver },
        { provide: tokens.UNKNOWN_OUTCOMES, useValue: parts.unknownOutcomes },
        { provide: tokens.PROJECTIONS_CONTROL, useValue: parts.projections },
        { provide: tokens.BATCHES, useValue: parts.batches },
        { provide: tokens.DUE_WORK, useValue: parts.dueWork },
        { provide: tokens.LOG, useValue: parts.log },
        { provide: tokens.RATE_LIMIT, useValue: parts.defaultRateLimit },
        { provide: tokens.READINESS, useValue: parts.readiness },
        { provide: tokens.ADDRESS, useValue: address },
        { provide: tokens.ADAPTERS, useValue: adapters },
        { provide: tokens.EVENTS, useValue: adapters.store },
        { provide: tokens.SEALER, useValue: adapters.responseSealer },
        { provide: tokens.CRASH_POINTS, useValue: adapters.crashPoints },
        ...(adapters.sandbox
          ? [{ provide: tokens.SANDBOX, useValue: adapters.sandbox }, TerminalRegister, TerminalDesk]
          : []),
        { provide: APP_FILTER, useClass: ErrorFilter },
        ...Object.values(CREDENTIAL_CLASSES),
        {
          provide: CREDENTIALS,
          inject: Object.values(CREDENTIAL_CLASSES),
          useFactory: (...all: readonly Credential[]) => all,
        },
        { provide: APP_GUARD, useClass: CallerGuard },
        RouteCallersCheck,
        ApiDocuments,
        KeptAnswers,
        ShownTransactions,
        OperationEndpoint,
        ...OPERATION_HANDLERS,
        ...TRANSACTION_QUERY_HANDLERS,
        ...TOKEN_HANDLERS,
        ...ACCOUNT_HOLDER_HANDLERS,
        ...ACCOUNT_HOLDER_QUERY_HANDLERS,
        ...PROVISIONING_HANDLERS,
        ...PROVISIONING_QUERY_HANDLERS,
        ...UNKNOWN_OUTCOME_HANDLERS,
        ...BATCH_HANDLERS,
        ...PROJECTION_HANDLERS,
        ...PROCESSOR_HANDLERS,
      ],
    };
  }
}
