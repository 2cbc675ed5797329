import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import { Callers } from '../../access/callers.js';
import { notFound } from '../../http/api.error.js';
import type { ApiResponse } from '../../http/api.request.js';
import { Page } from '../../http/page.headers.js';
import { TerminalRegister } from '../terminal.register.js';
import { OwnNameGuard } from './own.origin.js';
import { PageFiles } from './page.files.js';

/** What the customer sees at a simulated terminal (`docs/spec/sandbox.md#customer`), as pages that need no key. */
@Controller('sandbox')
@Callers('Anyone')
@UseGuards(OwnNameGuard)
@Page({ caching: 'revalidated' })
export class TerminalPagesController {
  private readonly files = new PageFiles();

  constructor(private readonly register: TerminalRegister) {}

  @Get()
  list(@Res() response: ApiResponse): void {
    this.files.send(response, 200, 'terminals.html');
  }

  @Get('terminals/:id')
  async terminal(@Res() response: ApiResponse, @Param('id') id: string): Promise<void> {
    const known = await this.register.has(id);
    this.files.send(response, known ? 200 : 404, known ? 'terminal.html' : 'unknown.html');
  }

  @Get('files/:name')
  file(@Res() response: ApiResponse, @Param('name') name: string): void {
    if (!this.files.has(name)) throw notFound('There is no such file.');
    this.files.send(response, 200, name);
  }
}
