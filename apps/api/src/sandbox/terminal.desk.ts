import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode, type ErrorDetail, type SandboxTerminal } from '@tillstream/contracts';
import { TerminalControlError, type SandboxControls } from '@tillstream/platform';
import { SANDBOX } from '../api.parts.js';
import { ApiError } from '../http/api.error.js';
import { received } from '../validation/received.text.js';
import { invalidField } from '../validation/request.body.js';
import type { CustomerActDto, TerminalSettingsDto } from './sandbox.dto.js';
import { TerminalRegister } from './terminal.register.js';

/** What operators and the terminals' own page can do with a terminal, and how it is refused. */
@Injectable()
export class TerminalDesk {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    private readonly register: TerminalRegister,
  ) {}

  wrongSettings({ mode = 'Auto', card }: TerminalSettingsDto): ErrorDetail[] {
    const values = { mode, card: card ?? null };
    return this.sandbox.terminals
      .invalidFields(values)
      .map(({ field, allowed }) => notAllowed(field, allowed, received(values[field])));
  }

  wrongAct({ action, card, pin }: CustomerActDto): ErrorDetail[] {
    return this.sandbox.customers.invalidFields({ action, card, pin }).map(({ field, allowed }) => {
      if (field !== 'pin') return notAllowed(field, allowed, received({ action, card }[field]));
      return notAllowed(field, allowed, pin === undefined ? 'received nothing' : 'received something else');
    });
  }

  async set(id: string, { mode = 'Auto', card }: TerminalSettingsDto): Promise<SandboxTerminal> {
    await this.mustExist(id);
    return this.sandbox.terminals.set(id, { mode, card: card ?? null });
  }

  /** Nobody there, or nobody who waits for that: 409, 3400 (`docs/spec/sandbox.md#customer`). */
  async act(id: string, { action, card, pin }: CustomerActDto): Promise<SandboxTerminal> {
    await this.mustExist(id);
    try {
      return await this.sandbox.customers.act(id, { action, card, pin });
    } catch (error) {
      if (!(error instanceof TerminalControlError) || error.code !== 'NobodyWaits') throw error;
      throw new ApiError(409, ErrorCode.ResourceNotReadyError, `${action} is refused: ${error.message}.`);
    }
  }

  async mustExist(id: string): Promise<void> {
    if (await this.register.has(id)) return;
    const code = ErrorCode.PaymentMethodNotFound;
    const message = 'There is no such terminal.';
    const details = `${received(id)}, allowed the id of a payment method of type Physical`;
    throw new ApiError(404, code, message, { errorDetails: [{ code, field: 'id', message, details }] });
  }
}

function notAllowed(field: string, allowed: string, got: string): ErrorDetail {
  return invalidField(field, `${field} must be ${allowed}.`, `${got}, allowed ${allowed}`);
}
