import { fileURLToPath } from 'node:url';
import { Controller, Get, Param, Res, UseGuards } from '@nestjs/common';
import { Callers } from '../../access/callers.js';
import { notFound } from '../../http/api.error.js';
import type { ApiResponse } from '../../http/api.request.js';
import { Page } from '../../http/page.headers.js';
import { TerminalRegister } from '../terminal.register.js';
import { OwnNameGuard } from './own.origin.js';

/** The same place seen from the sources and from what is built of them. It holds nothing but the files of the pages. */
const FOLDER = fileURLToPath(new URL('../../../assets/terminal-page/', import.meta.url));

/** The customer's view of a simulated terminal (`docs/spec/sandbox.md#customer`), as pages that need no key. */
@Controller('sandbox')
@Callers('Anyone')
@UseGuards(OwnNameGuard)
@Page({ caching: 'revalidated' })
export class TerminalPagesController {
  constructor(private readonly register: TerminalRegister) {}

  @Get()
  list(@Res() response: ApiResponse): Promise<void> {
    return send(response, 'terminals.html');
  }

  @Get('terminals/:id')
  async terminal(@Res() response: ApiResponse, @Param('id') id: string): Promise<void> {
    if (await this.register.has(id)) await send(response, 'terminal.html');
    else await send(response.status(404), 'unknown.html');
  }

  @Get('files/:name')
  file(@Res() response: ApiResponse, @Param('name') name: string): Promise<void> {
    return send(response, name);
  }
}

/** @throws ApiError 404 where there is no such file */
async function send(response: ApiResponse, name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.sendFile(name, { root: FOLDER }, (error?: Error) => {
      if (error && !response.headersSent) reject(notFound('There is no such file.'));
      else resolve();
    });
  });
}
