import { Inject, Injectable } from '@nestjs/common';
import type { ErrorDetail } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { SANDBOX } from '../api.parts.js';
import { invalidField, type BodyCheck } from '../validation/body.check.js';
import { received } from '../validation/received.text.js';

/* The sandbox itself decides which values it takes. */

interface Settings {
  readonly mode?: string;
  readonly card?: string;
}

@Injectable()
export class TerminalSettings implements BodyCheck<Settings> {
  constructor(@Inject(SANDBOX) private readonly sandbox: SandboxControls) {}

  errors({ mode = 'Auto', card }: Settings): readonly ErrorDetail[] {
    const values = { mode, card: card ?? null };
    return this.sandbox.terminals
      .invalidFields(values)
      .map(({ field, allowed }) => notAllowed(field, allowed, received(values[field])));
  }
}

interface Act {
  readonly action: string;
  readonly card?: string;
  readonly pin?: string;
}

@Injectable()
export class CustomerAct implements BodyCheck<Act> {
  constructor(@Inject(SANDBOX) private readonly sandbox: SandboxControls) {}

  errors({ action, card, pin }: Act): readonly ErrorDetail[] {
    return this.sandbox.customers.invalidFields({ action, card, pin }).map(({ field, allowed }) => {
      if (field !== 'pin') return notAllowed(field, allowed, received({ action, card }[field]));
      return notAllowed(field, allowed, pin === undefined ? 'received nothing' : 'received something else');
    });
  }
}

function notAllowed(field: string, allowed: string, got: string): ErrorDetail {
  return invalidField(field, `${field} must be ${allowed}.`, `${got}, allowed ${allowed}`);
}
