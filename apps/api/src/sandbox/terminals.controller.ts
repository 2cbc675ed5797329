import { Controller, Get, Inject, Param, Put, Req } from '@nestjs/common';
import { ErrorCode, type ErrorDetail, type SandboxTerminal } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { ForOperators } from '../access/audience.js';
import { SANDBOX } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import { ApiError, invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { received } from '../validation/received.text.js';
import { invalidField, requestBody } from '../validation/request.body.js';
import { TerminalSettingsDto } from './sandbox.dto.js';
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
    const wrong = (body: TerminalSettingsDto) => this.wrong(body);
    const asked = await requestBody(request, TerminalSettingsDto, { mayBeEmpty: true, wrong });
    return this.kept.once(request, asked, () => this.changed(id, asked.body));
  }

  private async changed(id: string, { mode = 'Auto', card }: TerminalSettingsDto): Promise<SandboxTerminal> {
    await this.mustExist(id);
    return this.sandbox.terminals.set(id, { mode, card: card ?? null });
  }

  private wrong({ mode = 'Auto', card }: TerminalSettingsDto): ErrorDetail[] {
    const values = { mode, card: card ?? null };
    return this.sandbox.terminals.refused(values).map(({ field, allowed }) => {
      const manual = field === 'mode' && mode === 'Manual';
      const message = manual ? 'The mode Manual is not offered yet.' : `${field} must be ${allowed}.`;
      return invalidField(field, message, `${received(values[field])}, allowed ${allowed}`);
    });
  }

  private async mustExist(id: string): Promise<void> {
    if (await this.register.has(id)) return;
    const code = ErrorCode.PaymentMethodNotFound;
    const message = 'There is no such terminal.';
    const details = `${received(id)}, allowed the id of a payment method of type Physical`;
    throw new ApiError(404, code, message, { errorDetails: [{ code, field: 'id', message, details }] });
  }
}
