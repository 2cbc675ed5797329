import { Body, Controller, Get, Inject, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SandboxTerminal } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { SANDBOX } from '../api.parts.js';
import { OperatorApi } from '../http/endpoint.decorators.js';
import { CustomerActDto, TerminalSettingsDto } from './sandbox.dto.js';
import { SandboxTerminals } from './sandbox.terminals.js';
import { SANDBOX_TERMINAL_ENDPOINTS } from './sandbox.docs.js';

/** The simulated terminals (`docs/spec/sandbox.md#terminals`), named by their payment methods. */
@ApiTags('Sandbox')
@Controller('admin/v1/sandbox/terminals')
@OperatorApi(SANDBOX_TERMINAL_ENDPOINTS)
export class SandboxTerminalsController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    private readonly terminals: SandboxTerminals,
  ) {}

  @Get(':id')
  async getSandboxTerminal(@Param('id') id: string): Promise<SandboxTerminal> {
    await this.terminals.mustExist(id);
    return this.sandbox.terminals.get(id);
  }

  @Put(':id')
  setSandboxTerminal(@Param('id') id: string, @Body() body: TerminalSettingsDto): Promise<SandboxTerminal> {
    return this.terminals.set(id, body);
  }

  /** What the customer does at a terminal that waits for one; responds with the terminal's state after it. */
  @Post(':id/customer')
  actAsCustomer(@Param('id') id: string, @Body() body: CustomerActDto): Promise<SandboxTerminal> {
    return this.terminals.act(id, body);
  }
}
