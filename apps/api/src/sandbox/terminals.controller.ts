import { Controller, Get, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SandboxTerminal } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { Callers } from '../access/callers.js';
import { SANDBOX } from '../api.parts.js';
import type { Answer } from '../http/answer.js';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import { OperatorEndpoint } from '../openapi/endpoint.js';
import { KeptAnswers } from '../transactions/kept.answers.js';
import { QUERY_NONE, queryParameters } from '../validation/query.parameters.js';
import { requestBody } from '../validation/request.body.js';
import { CustomerActDto, TerminalSettingsDto } from './sandbox.dto.js';
import { TerminalDesk } from './terminal.desk.js';
import { SANDBOX_TERMINAL_ENDPOINTS } from './sandbox.docs.js';

/** The simulated terminals (`docs/spec/sandbox.md#terminals`), named by their payment methods. */
@ApiTags('Sandbox')
@Controller('admin/v1/sandbox/terminals')
@Callers('AdminKey')
export class SandboxTerminalsController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    private readonly desk: TerminalDesk,
    private readonly kept: KeptAnswers,
  ) {}

  @Get(':id')
  @OperatorEndpoint(SANDBOX_TERMINAL_ENDPOINTS.one)
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<SandboxTerminal> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    await this.desk.mustExist(id);
    return this.sandbox.terminals.get(id);
  }

  @Put(':id')
  @OperatorEndpoint(SANDBOX_TERMINAL_ENDPOINTS.set)
  async set(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const wrong = (body: TerminalSettingsDto) => this.desk.wrongSettings(body);
    const asked = await requestBody(request, TerminalSettingsDto, { mayBeEmpty: true, wrong });
    return this.kept.once(request, asked, () => this.desk.set(id, asked.body));
  }

  /** What the customer does at a terminal that waits for one; answers the terminal as it is then. */
  @Post(':id/customer')
  @OperatorEndpoint(SANDBOX_TERMINAL_ENDPOINTS.customer)
  async customer(@Req() request: ApiRequest, @Param('id') id: string): Promise<Answer> {
    const wrong = (body: CustomerActDto) => this.desk.wrongAct(body);
    const asked = await requestBody(request, CustomerActDto, { wrong });
    return this.kept.once(request, asked, () => this.desk.act(id, asked.body));
  }
}
