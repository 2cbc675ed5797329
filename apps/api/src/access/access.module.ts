import { Module } from '@nestjs/common';
import { CREDENTIALS } from './caller.guard.js';
import { CREDENTIAL_CLASSES } from './caller.kinds.js';
import type { Credential } from './credential.js';
import { RouteCheck } from './route.check.js';

/** The credentials of the callers, for `CallerGuard`. */
@Module({
  providers: [
    ...Object.values(CREDENTIAL_CLASSES),
    {
      provide: CREDENTIALS,
      inject: Object.values(CREDENTIAL_CLASSES),
      useFactory: (...all: readonly Credential[]) => all,
    },
    RouteCheck,
  ],
  exports: [CREDENTIALS],
})
export class AccessModule {}
