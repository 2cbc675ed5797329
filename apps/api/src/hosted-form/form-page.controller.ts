import { Catch, Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { Callers } from '../access/callers.js';
import { notFound, type ApiError } from '../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { ErrorFilter } from '../http/error.filter.js';
import { Page, pageHeaders, type PagePolicy } from '../http/page.headers.js';
import { PageFiles } from './page.files.js';

/* The same places seen from the sources and from what is built of them. */
const ERROR_PAGES = new PageFiles(new URL('../../assets/hosted-form/', import.meta.url));
/** What the sibling packages are built to; no code of them is imported. */
const PAGE = new PageFiles(new URL('../../../payment-form/dist/', import.meta.url));
const ASSETS = new PageFiles(new URL('../../../payment-form/dist/assets/', import.meta.url));
const SCRIPTS = new PageFiles(new URL('../../../../libs/payment-form/dist/bundled/', import.meta.url));

/** Sends the errors of a page as pages. */
@Catch()
class ErrorPages extends ErrorFilter {
  protected override async send(response: ApiResponse, error: ApiError): Promise<void> {
    for (const [name, value] of Object.entries(pageHeaders({}))) response.setHeader(name, value);
    const page = error.http === 404 ? 'unknown.html' : 'failed.html';
    await ERROR_PAGES.send(response.req as ApiRequest, response, page, error.http);
  }
}

/** Only the registered origins may embed a form. A form embeds the page where a bank verifies its customer. */
function formPolicy({ caller }: ApiRequest): PagePolicy {
  return {
    framedBy: caller?.kind === 'FormSession' ? caller.opened.allowedOrigins : [],
    sources: { 'frame-src': ["'self'"] },
  };
}

/** The page of a form. It is the same for all forms; its calls tell it the rest (`docs/spec/hosted-form.md#page`). */
@Controller('pay')
export class FormPageController {
  @Get(':sessionId')
  @Callers('FormSession')
  @Page(formPolicy)
  @UseFilters(ErrorPages)
  page(@Req() request: ApiRequest, @Res() response: ApiResponse): Promise<void> {
    return sendBuilt(PAGE, 'index.html', request, response);
  }

  @Get('assets/error-page.css')
  @Callers('Anyone')
  @Page({ caching: 'daily' })
  errorStyle(@Req() request: ApiRequest, @Res() response: ApiResponse): Promise<void> {
    return sendBuilt(ERROR_PAGES, 'error-page.css', request, response);
  }

  @Get('assets/:file')
  @Callers('Anyone')
  @Page({ caching: 'forever' })
  async asset(
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
    @Param('file') file: string,
  ): Promise<void> {
    if (!(await ASSETS.send(request, response, file))) throw notFound('There is no such file.');
  }
}

/** The script for pages that embed a form (`docs/spec/hosted-form.md#script`). */
@Controller('payment-form.js')
@Callers('Anyone')
@Page({ caching: 'briefly', forAnyOrigin: true })
export class FormScriptController {
  @Get()
  script(@Req() request: ApiRequest, @Res() response: ApiResponse): Promise<void> {
    return sendBuilt(SCRIPTS, 'payment-form.js', request, response);
  }
}

async function sendBuilt(
  files: PageFiles,
  name: string,
  request: ApiRequest,
  response: ApiResponse,
): Promise<void> {
  if (!(await files.send(request, response, name))) {
    throw new Error(`${name} is missing: build it first (npm run build)`);
  }
}
