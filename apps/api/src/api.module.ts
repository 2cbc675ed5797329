import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { KeyGuard } from './access/key.guard.js';
import { ACCOUNT_HOLDER_HANDLERS } from './account-holders/account-holder.handlers.js';
import { ACCOUNT_HOLDER_QUERY_HANDLERS } from './account-holders/account-holder.queries.js';
import { AccountHoldersController } from './account-holders/account-holders.controller.js';
import * as tokens from './api.parts.js';
import type { ApiParts } from './api.parts.js';
import { HealthController } from './health/health.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { UnknownMerchantPaths, UnknownOperatorPaths, UnknownPaths } from './http/fallback.controllers.js';
import { HolderTokensController } from './payment-methods/holder-tokens.controller.js';
import { PaymentMethodsController } from './payment-methods/payment-methods.controller.js';
import { TOKEN_HANDLERS } from './payment-methods/token.handlers.js';
import { TokensController } from './payment-methods/tokens.controller.js';
import { SandboxClockController } from './sandbox/clock.controller.js';
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
  static of(parts: ApiParts): DynamicModule {
    const { adapters } = parts;
    const sandbox = adapters.sandbox ? [SandboxTerminalsController, SandboxClockController] : [];
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
        { provide: tokens.RESOLVER, useValue: parts.resolver },
        { provide: tokens.LOG, useValue: parts.log },
        { provide: tokens.RATE_LIMIT, useValue: parts.defaultRateLimit },
        { provide: tokens.READINESS, useValue: parts.readiness },
        { provide: tokens.ADAPTERS, useValue: adapters },
        { provide: tokens.EVENTS, useValue: adapters.store },
        { provide: tokens.SEALER, useValue: adapters.sealer },
        { provide: tokens.CRASH_POINTS, useValue: adapters.crashPoints },
        ...(adapters.sandbox
          ? [{ provide: tokens.SANDBOX, useValue: adapters.sandbox }, TerminalRegister]
          : []),
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: KeyGuard },
        KeptAnswers,
        ShownTransactions,
        OperationEndpoint,
        ...OPERATION_HANDLERS,
        ...TRANSACTION_QUERY_HANDLERS,
        ...TOKEN_HANDLERS,
        ...ACCOUNT_HOLDER_HANDLERS,
        ...ACCOUNT_HOLDER_QUERY_HANDLERS,
      ],
    };
  }
}
