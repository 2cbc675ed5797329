import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { injectable, TOKENS, type ApiParts, type ListeningAddress } from './api.parts.js';
import { TurnGuard } from './access/turn.guard.js';
import { SubmissionGuard } from './card-testing/submission.guard.js';
import { FormLinks } from './hosted-form/form.links.js';
import { KeyedResponses } from './idempotency/keyed.responses.js';
import { StoredResponses } from './idempotency/stored.responses.js';
import { OperationBus } from './metrics/operation.bus.js';
import { OperationResponses } from './transactions/operation.responses.js';
import { TransactionResults } from './transactions/transaction.results.js';

/** The parts of the service, and the buses, for every feature module. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(parts: ApiParts, address: ListeningAddress): DynamicModule {
    const values = injectable(parts, address);
    const providers = [
      ...TOKENS.map((provide) => ({ provide, useValue: values[provide] })),
      StoredResponses,
      FormLinks,
      KeyedResponses,
      TransactionResults,
      OperationBus,
      OperationResponses,
      SubmissionGuard,
      TurnGuard,
    ];
    return {
      module: InfrastructureModule,
      imports: [CqrsModule.forRoot()],
      providers,
      exports: providers,
    };
  }
}
