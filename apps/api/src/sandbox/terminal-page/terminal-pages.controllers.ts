import { Body, Controller, Get, Inject, Param, Post, Put, Query, Res, UseGuards } from '@nestjs/common';
import type { SandboxCardChoice, SandboxTerminalPage, SandboxTerminalView } from '@tillstream/contracts';
import type { Adapters, SandboxControls } from '@tillstream/platform';
import { Callers } from '../../access/callers.js';
import { ADAPTERS, SANDBOX } from '../../api.parts.js';
import { invalidFields } from '../../http/api.error.js';
import type { ApiResponse } from '../../http/api.request.js';
import { StrictRequests } from '../../http/endpoint.decorators.js';
import { PageFiles } from '../../http/page.files.js';
import { Page } from '../../http/page.headers.js';
import { ReceivedQuery } from '../../http/received.query.js';
import { CustomerActDto, TerminalSettingsDto } from '../sandbox.dto.js';
import { SandboxTerminals } from '../sandbox.terminals.js';
import { TerminalRegister } from '../terminal.register.js';
import { OwnNameGuard, OwnOriginGuard } from './own.origin.js';
import { cardChoice, shownScreen } from './terminal.screen.js';

/** This path is valid from `src/` and from `dist/`. The folder holds nothing but the files of the pages. */
const FILES = new PageFiles(new URL('../../../assets/terminal-page/', import.meta.url));

/** The customer's view of a simulated terminal (`docs/spec/sandbox.md#customer`), as pages that need no key. */
@Controller('sandbox')
@Callers('Anyone')
@UseGuards(OwnNameGuard)
@Page({ caching: 'revalidated' })
export class TerminalPagesController {
  constructor(private readonly register: TerminalRegister) {}

  @Get()
  list(@Res() response: ApiResponse): Promise<void> {
    return FILES.sendPage(response, 'terminals.html');
  }

  @Get('terminals/:id')
  async terminal(@Res() response: ApiResponse, @Param('id') id: string): Promise<void> {
    if (await this.register.has(id)) await FILES.sendPage(response, 'terminal.html');
    else await FILES.sendPage(response, 'unknown.html', 404);
  }

  @Get('files/:name')
  file(@Res() response: ApiResponse, @Param('name') name: string): Promise<void> {
    return FILES.send(response, name);
  }
}

const PAGE_SIZE = 50;

class TerminalsQuery {
  readonly after: string | undefined;

  constructor(query: ReceivedQuery) {
    const { values, errors } = query.parameters(['after']);
    if (errors.length > 0) throw invalidFields(errors);
    this.after = values.get('after')?.[0];
  }
}

/** For the terminals' pages: what a customer sees and does at a terminal. */
@Controller('sandbox/data')
@Callers('Anyone')
@StrictRequests()
@UseGuards(OwnOriginGuard)
export class TerminalPageDataController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    @Inject(ADAPTERS) private readonly adapters: Adapters,
    private readonly register: TerminalRegister,
    private readonly simulated: SandboxTerminals,
  ) {}

  /** Terminals of all merchants, 50 a page, after the id `after`. */
  @Get('terminals')
  async list(@Query() { after }: TerminalsQuery): Promise<SandboxTerminalPage> {
    const { terminals, more } = await this.register.page(after, PAGE_SIZE);
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
  one(@Param('id') id: string): Promise<SandboxTerminalView> {
    return this.view(id);
  }

  @Put('terminals/:id')
  async set(@Param('id') id: string, @Body() body: TerminalSettingsDto): Promise<SandboxTerminalView> {
    await this.simulated.set(id, body);
    return this.view(id);
  }

  @Post('terminals/:id/customer')
  async act(@Param('id') id: string, @Body() body: CustomerActDto): Promise<SandboxTerminalView> {
    await this.simulated.act(id, body);
    return this.view(id);
  }

  private async view(id: string): Promise<SandboxTerminalView> {
    await this.simulated.mustExist(id);
    const registered = await this.register.find(id);
    const { mode, card } = await this.sandbox.terminals.get(id);
    const seen = await this.sandbox.customers.screen(id);
    // The clock is read after the screen: otherwise a customer who arrived in between would seem to have too much time.
    const { clock } = this.adapters;
    const screen = shownScreen(seen, { service: clock.now(), real: clock.realNow() });
    const { merchant = '', currency = '', description } = registered ?? {};
    return { id, ...(description !== undefined && { description }), merchant, currency, mode, card, screen };
  }
}
