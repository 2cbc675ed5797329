import { Inject, Injectable } from '@nestjs/common';
import type { ErrorDetail } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { SANDBOX } from '../api.parts.js';
import { invalidField, type BodyCheck } from '../validation/body.check.js';
import { received } from '../validation/received.text.js';
import type { CustomerActDto, TerminalSettingsDto } from './sandbox.dto.js';

/* The sandbox itself decides which values it takes. */

@Injectable()
export class TerminalSettings implements BodyCheck<TerminalSettingsDto> {
  constructor(@Inject(SANDBOX) private readonly sandbox: SandboxControls) {}

  errors({ mode = 'Auto', card }: TerminalSettingsDto): readonly ErrorDetail[] {
    const values = { mode, card: card ?? null };
    return this.sandbox.terminals
      .invalidFields(values)
      .map(({ field, allowed }) => notAllowed(field, allowed, received(values[field])));
  }
}

@Injectable()
export class CustomerAct implements BodyCheck<CustomerActDto> {
  constructor(@Inject(SANDBOX) private readonly sandbox: SandboxControls) {}

  errors({ action, card, pin }: CustomerActDto): readonly ErrorDetail[] {
    return this.sandbox.customers.invalidFields({ action, card, pin }).map(({ field, allowed }) => {
      if (field !== 'pin') return notAllowed(field, allowed, received({ action, card }[field]));
      return notAllowed(field, allowed, pin === undefined ? 'received nothing' : 'received something else');
    });
  }
}

function notAllowed(field: string, allowed: string, got: string): ErrorDetail {
  return invalidField(field, `${field} must be ${allowed}.`, `${got}, allowed ${allowed}`);
}
