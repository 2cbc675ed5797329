import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { SecretGuard } from './access/secret.guard.js';
import { AcquirerController } from './acquirer.controller.js';
import { BankController } from './bank.controller.js';
import { HealthController } from './health.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { LedgerController } from './ledger.controller.js';
import { GATE, LOG, SANDBOX, SECRET, type SandboxParts } from './sandbox.parts.js';
import { TerminalsController } from './terminals.controller.js';
import { ThreeDsController } from './three-ds.controller.js';

@Module({})
export class SandboxModule {
  static of({ sandbox, secret, log, gate }: SandboxParts): DynamicModule {
    return {
      module: SandboxModule,
      controllers: [
        AcquirerController,
        BankController,
        TerminalsController,
        ThreeDsController,
        LedgerController,
        HealthController,
      ],
      providers: [
        { provide: SANDBOX, useValue: sandbox },
        { provide: SECRET, useValue: secret },
        { provide: LOG, useValue: log },
        { provide: GATE, useValue: gate },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: SecretGuard },
      ],
    };
  }
}
