import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { SANDBOX, SECRET } from '../sandbox.parts.js';
import { clockOffset, RequestRefused, type WireRequest } from '../http/wire.request.js';
import type { StandaloneSandbox } from '@tillstream/sandbox';

const OPEN = Symbol('open to anyone');

/** Marks a controller that needs no secret. */
export const WithoutSecret = () => SetMetadata(OPEN, true);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Checks the secret before the body is read. A caller without it can neither send a card number nor move the clock. */
@Injectable()
export class SecretGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(
    @Inject(SECRET) secret: string,
    @Inject(SANDBOX) private readonly sandbox: StandaloneSandbox,
  ) {
    this.expected = digest(`Bearer ${secret}`);
  }

  canActivate(context: ExecutionContext): boolean {
    if (Reflect.hasMetadata(OPEN, context.getClass())) return true;
    const request = context.switchToHttp().getRequest<WireRequest>();
    // Digests have the same length, so that the comparison takes the same time for every wrong secret.
    if (!timingSafeEqual(this.expected, digest(request.headers.authorization ?? ''))) {
      throw new RequestRefused(401, 'SANDBOX_SECRET is not the one that the sandbox was started with');
    }
    const offset = clockOffset(request);
    if (offset !== undefined) this.sandbox.clock.adoptOffset(offset);
    return true;
  }
}
