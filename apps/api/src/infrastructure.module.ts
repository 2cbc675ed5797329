import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import * as tokens from './api.parts.js';
import type { ApiParts, ListeningAddress } from './api.parts.js';
import { StoredResponses } from './idempotency/stored.responses.js';
import { CommandObserver } from './metrics/observed.commands.js';
import { OperationResponses } from './transactions/operation.responses.js';
import { TransactionResults } from './transactions/transaction.results.js';

/** The parts of the service, and the buses, for every feature module. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(parts: ApiParts, address: ListeningAddress): DynamicModule {
    const { adapters } = parts;
    const values: readonly (readonly [symbol, unknown])[] = [
      [tokens.PAYMENTS, parts.payments],
      [tokens.STORED_CARDS, parts.storedCards],
      [tokens.ACCOUNT_HOLDERS, parts.accountHolders],
      [tokens.LISTS, parts.lists],
      [tokens.VAULT, adapters.vault],
      [tokens.DIRECTORY, parts.directory],
      [tokens.PROVISIONING, parts.provisioning],
      [tokens.MODE, parts.mode],
      [tokens.UNKNOWN_OUTCOMES, parts.unknownOutcomes],
      [tokens.PROJECTIONS_CONTROL, parts.projections],
      [tokens.BATCHES, parts.batches],
      [tokens.DUE_WORK, parts.dueWork],
      [tokens.LOG, parts.log],
      [tokens.RATE_LIMIT, parts.defaultRateLimit],
      [tokens.READINESS, parts.readiness],
      [tokens.ADDRESS, address],
      [tokens.ADAPTERS, adapters],
      [tokens.EVENTS, adapters.store],
      [tokens.SEALER, adapters.responseSealer],
      [tokens.CRASH_POINTS, adapters.crashPoints],
      [tokens.SANDBOX, adapters.sandbox],
    ];
    const providers = values.map(([provide, useValue]) => ({ provide, useValue }));
    const shared = [StoredResponses, TransactionResults, OperationResponses];
    return {
      module: InfrastructureModule,
      imports: [CqrsModule.forRoot()],
      providers: [...providers, ...shared, CommandObserver],
      exports: [...values.map(([token]) => token), ...shared],
    };
  }
}
