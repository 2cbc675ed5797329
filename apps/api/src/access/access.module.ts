import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CallerGuard, CREDENTIALS } from './caller.guard.js';
import { CREDENTIAL_CLASSES } from './caller.kinds.js';
import type { Credential } from './credential.js';
import { RouteCheck } from './route.check.js';

/** Authenticates the caller of every route. */
@Module({
  providers: [
    ...Object.values(CREDENTIAL_CLASSES),
    {
      provide: CREDENTIALS,
      inject: Object.values(CREDENTIAL_CLASSES),
      useFactory: (...all: readonly Credential[]) => all,
    },
    { provide: APP_GUARD, useClass: CallerGuard },
    RouteCheck,
  ],
})
export class AccessModule {}
