import { Controller, Get, Inject, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import type { SandboxCardChoice, SandboxTerminalPage, SandboxTerminalView } from '@tillstream/contracts';
import type { Adapters, SandboxControls } from '@tillstream/platform';
import { Callers } from '../../access/callers.js';
import { ADAPTERS, SANDBOX } from '../../api.parts.js';
import { invalidFields } from '../../http/api.error.js';
import type { ApiRequest } from '../../http/api.request.js';
import { QUERY_NONE, queryParameters } from '../../validation/query.parameters.js';
import { requestBody } from '../../validation/request.body.js';
import { CustomerActDto, TerminalSettingsDto } from '../sandbox.dto.js';
import { TerminalDesk } from '../terminal.desk.js';
import { TerminalRegister } from '../terminal.register.js';
import { OwnOriginGuard } from './own.origin.js';
import { cardChoice, shownScreen } from './terminal.screen.js';

const AT_ONCE = 50;

/** What the terminals' pages ask and do; they do no more than somebody who stands before a terminal. */
@Controller('sandbox/data')
@Callers('Anyone')
@UseGuards(OwnOriginGuard)
export class TerminalPageDataController {
  private readonly clock: Adapters['clock'];

  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    @Inject(ADAPTERS) { clock }: Adapters,
    private readonly register: TerminalRegister,
    private readonly desk: TerminalDesk,
  ) {
    this.clock = clock;
  }

  /** Terminals of all merchants, 50 at once; `after` goes on behind an id. */
  @Get('terminals')
  async list(@Req() request: ApiRequest): Promise<SandboxTerminalPage> {
    const { values, errors } = queryParameters(request, ['after']);
    if (errors.length > 0) throw invalidFields(errors);
    const { terminals, more } = await this.register.page(values.get('after')?.[0], AT_ONCE);
    const settings = await Promise.all(terminals.map(({ id }) => this.sandbox.terminals.get(id)));
    return {
      terminals: terminals.map((terminal, index) => {
        const { mode = 'Auto', waiting = null } = settings[index] ?? {};
        return { ...terminal, mode, isWaiting: waiting !== null };
      }),
      next: more ? (terminals.at(-1)?.id ?? null) : null,
    };
  }

  @Get('cards')
  cards(): { readonly cards: SandboxCardChoice[] } {
    return { cards: this.sandbox.customers.cards.map(cardChoice) };
  }

  @Get('terminals/:id')
  async one(@Req() request: ApiRequest, @Param('id') id: string): Promise<SandboxTerminalView> {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    return this.view(id);
  }

  @Put('terminals/:id')
  async set(@Req() request: ApiRequest, @Param('id') id: string): Promise<SandboxTerminalView> {
    const wrong = (body: TerminalSettingsDto) => this.desk.wrongSettings(body);
    const { body } = await requestBody(request, TerminalSettingsDto, { wrong });
    await this.desk.set(id, body);
    return this.view(id);
  }

  @Post('terminals/:id/customer')
  async act(@Req() request: ApiRequest, @Param('id') id: string): Promise<SandboxTerminalView> {
    const wrong = (body: CustomerActDto) => this.desk.wrongAct(body);
    const { body } = await requestBody(request, CustomerActDto, { wrong });
    await this.desk.act(id, body);
    return this.view(id);
  }

  private async view(id: string): Promise<SandboxTerminalView> {
    await this.desk.mustExist(id);
    const registered = await this.register.find(id);
    const { mode, card } = await this.sandbox.terminals.get(id);
    const seen = await this.sandbox.customers.screen(id);
    // Only now: a customer who came since an earlier look at the clock would have more time left than there is.
    const screen = shownScreen(seen, { service: this.clock.now(), real: this.clock.realNow() });
    const { merchant = '', currency = '', description } = registered ?? {};
    return { id, ...(description !== undefined && { description }), merchant, currency, mode, card, screen };
  }
}
