import { Body, Controller, Get, Param, Post, Put, Query, Req, Res, UseGuards } from '@nestjs/common';
import { Callers } from '../../access/callers.js';
import { invalidFields } from '../../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../../http/api.request.js';
import { StrictRequests } from '../../http/endpoint.decorators.js';
import { PageFiles } from '../../http/page.files.js';
import { Page } from '../../http/page.headers.js';
import { readBody } from '../../http/received.body.js';
import { ReceivedQuery } from '../../http/received.query.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { OwnNameGuard, OwnOriginGuard } from '../terminal-page/own.origin.js';
import { TesterAnswerDto } from './tester.dto.js';
import { TesterEndpoint } from './tester.endpoint.js';
import { WebhookTester, type TesterView } from './webhook.tester.js';

/** This path is valid from `src/` and from `dist/`. The folder holds nothing but the files of the page. */
const FILES = new PageFiles(new URL('../../../assets/webhook-tester/', import.meta.url));

/** The endpoint tester (`docs/spec/sandbox.md#webhooks`): the webhooks of the demo merchant, as a page that needs no key. */
@Controller('sandbox/webhooks')
@Callers('Anyone')
@UseGuards(OwnNameGuard)
@Page({ caching: 'revalidated' })
export class WebhookTesterPageController {
  @Get()
  page(@Res() response: ApiResponse): Promise<void> {
    return FILES.sendPage(response, 'webhooks.html');
  }

  @Get('files/:name')
  file(@Res() response: ApiResponse, @Param('name') name: string): Promise<void> {
    return FILES.send(response, name);
  }
}

/** Where the service delivers. The signature says who sent it. */
@Controller('sandbox/webhooks/receive')
@Callers('Anyone')
@UseGuards(OwnNameGuard)
export class WebhookTesterReceiveController {
  constructor(private readonly tester: WebhookTester) {}

  @Post()
  async receive(@Req() request: ApiRequest, @Res() response: ApiResponse): Promise<void> {
    const body = await readBody(request);
    response.status(await this.tester.receive(request.headers, body)).end();
  }
}

class TesterQuery {
  readonly after: number;

  constructor(query: ReceivedQuery) {
    const { values, errors } = query.parameters(['after']);
    if (errors.length > 0) throw invalidFields(errors);
    // Any other text shows everything.
    this.after = Number(values.get('after')?.[0] ?? 0) || 0;
  }
}

/** What the page asks. */
@Controller('sandbox/data/webhooks')
@Callers('Anyone')
@StrictRequests()
@UseGuards(OwnOriginGuard)
export class WebhookTesterController {
  constructor(
    private readonly tester: WebhookTester,
    private readonly endpoint: TesterEndpoint,
  ) {}

  @Get()
  view(@Query() { after }: TesterQuery): Promise<TesterView> {
    return this.tester.view(after);
  }

  @Post('endpoint')
  async open(@Body() _body: NoFieldsDto): Promise<TesterView> {
    await this.endpoint.open();
    return this.tester.view(0);
  }

  @Put('answer')
  answer(@Body() { answer }: TesterAnswerDto): Promise<TesterView> {
    this.tester.answer = answer;
    return this.tester.view(0);
  }
}
