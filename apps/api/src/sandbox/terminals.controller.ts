import { Controller, Get, Inject, Param, Put, Req } from '@nestjs/common';
import { ErrorCode, type SandboxTerminal } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { ForOperators } from '../access/audience.js';
import { SANDBOX } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import { invalidFields, notFound } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { invalidField, requestBody } from '../validation/request.body.js';
import { TerminalSettingsDto } from './sandbox.dto.js';
import { refusedAs } from './sandbox.refusal.js';
import { TerminalRegister } from './terminal.register.js';

/** The simulated terminals (`sandbox.md`), named by their payment methods. */
@Controller('admin/v1/sandbox/terminals')
@ForOperators()
export class SandboxTerminalsController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    private readonly register: TerminalRegister,
    private readonly kept: KeptAnswers,
  ) {}

  @Get(':id')
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<SandboxTerminal> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    await this.mustExist(id);
    return this.sandbox.terminals.get(id);
  }

  @Put(':id')
  async set(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const asked = await requestBody(request, TerminalSettingsDto, { mayBeEmpty: true });
    return this.kept.once(request, asked, () => this.changed(id, asked.body));
  }

  private async changed(id: string, { mode = 'Auto', card }: TerminalSettingsDto): Promise<SandboxTerminal> {
    if (mode === 'Manual') {
      const message = 'The mode Manual is not offered yet.';
      throw invalidFields([invalidField('mode', message, 'allowed Auto, Offline, LowBattery, LostLink')]);
    }
    await this.mustExist(id);
    return refusedAs({ UnknownMode: 'mode', ModeNotSupported: 'mode', UnknownCard: 'card' }, () =>
      this.sandbox.terminals.set(id, { mode, card: card ?? null }),
    );
  }

  private async mustExist(id: string): Promise<void> {
    const known = await this.register.has(id);
    if (!known) throw notFound('There is no such terminal.', ErrorCode.PaymentMethodNotFound);
  }
}
