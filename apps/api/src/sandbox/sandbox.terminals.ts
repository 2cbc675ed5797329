import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode, type SandboxTerminal } from '@tillstream/contracts';
import { TerminalControlError, type SandboxControls } from '@tillstream/platform';
import { SANDBOX } from '../api.parts.js';
import { ApiError, detailedError } from '../http/api.error.js';
import { received } from '../validation/received.text.js';
import type { CustomerActDto, TerminalSettingsDto } from './sandbox.dto.js';
import { TerminalRegister } from './terminal.register.js';

/** What operators and the terminals' own page can do with a terminal. */
@Injectable()
export class SandboxTerminals {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    private readonly register: TerminalRegister,
  ) {}

  async set(id: string, { mode = 'Auto', card }: TerminalSettingsDto): Promise<SandboxTerminal> {
    await this.mustExist(id);
    return this.sandbox.terminals.set(id, { mode, card: card ?? null });
  }

  /** @throws ApiError 409, 3400 where no customer waits for this act (`docs/spec/sandbox.md#customer`) */
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
    const details = `${received(id)}, allowed the id of a payment method of type Physical`;
    const about = { field: 'id', details };
    throw detailedError(404, ErrorCode.PaymentMethodNotFound, 'There is no such terminal.', about);
  }
}
