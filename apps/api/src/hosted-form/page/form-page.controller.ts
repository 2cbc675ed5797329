import { Catch, Controller, Get, Param, Res, UseFilters } from '@nestjs/common';
import { Callers } from '../../access/callers.js';
import type { ApiError } from '../../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../../http/api.request.js';
import { ErrorFilter } from '../../http/error.filter.js';
import { PageFiles } from '../../http/page.files.js';
import { Page, pageHeaders, type PagePolicy } from '../../http/page.headers.js';

/* The same places seen from the sources and from what is built of them. */
const ERROR_PAGES = new PageFiles(new URL('../../../assets/hosted-form/', import.meta.url));
/** What the sibling packages are built to; no code of them is imported. */
const PAGE = new PageFiles(new URL('../../../../payment-form/dist/', import.meta.url));
const ASSETS = new PageFiles(new URL('../../../../payment-form/dist/assets/', import.meta.url));
const SCRIPTS = new PageFiles(new URL('../../../../../libs/payment-form/dist/bundled/', import.meta.url));

/** Sends the errors of a page as pages. */
@Catch()
class ErrorPages extends ErrorFilter {
  protected override send(response: ApiResponse, error: ApiError): Promise<void> {
    for (const [name, value] of Object.entries(pageHeaders({}))) response.setHeader(name, value);
    const page = error.http === 404 ? 'unknown.html' : 'failed.html';
    return ERROR_PAGES.sendPage(response, page, error.http);
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
  page(@Res() response: ApiResponse): Promise<void> {
    return PAGE.sendPage(response, 'index.html');
  }

  @Get('assets/error-page.css')
  @Callers('Anyone')
  @Page({ caching: 'daily' })
  errorStyle(@Res() response: ApiResponse): Promise<void> {
    return ERROR_PAGES.sendPage(response, 'error-page.css');
  }

  @Get('assets/:file')
  @Callers('Anyone')
  @Page({ caching: 'forever' })
  asset(@Res() response: ApiResponse, @Param('file') file: string): Promise<void> {
    return ASSETS.send(response, file);
  }
}

/** The script for pages that embed a form (`docs/spec/hosted-form.md#script`). */
@Controller('payment-form.js')
@Callers('Anyone')
@Page({ caching: 'briefly', forAnyOrigin: true })
export class FormScriptController {
  @Get()
  script(@Res() response: ApiResponse): Promise<void> {
    return SCRIPTS.sendPage(response, 'payment-form.js');
  }
}
