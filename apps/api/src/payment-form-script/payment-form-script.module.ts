import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import { Callers } from '../access/callers.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';

/** The bundle of the package, seen from the sources and from what is built of them. */
const FILE = new URL('../../../../libs/payment-form/dist/bundled/payment-form.js', import.meta.url);
const CACHED_SECONDS = 300;

interface Script {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The script with which a page of a merchant shows the form (`docs/payment-form-script.md`). Any page may load it. */
@Controller('payment-form.js')
@Callers('Anyone')
class PaymentFormScriptController {
  private script: Script | undefined;

  @Get()
  send(@Req() request: ApiRequest, @Res() response: ApiResponse): void {
    const { bytes, headers } = (this.script ??= readScript());
    if (request.headers['if-none-match'] === headers.etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  }
}

function readScript(): Script {
  const bytes = readFileSync(FILE);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': `public, max-age=${CACHED_SECONDS}`,
    'x-content-type-options': 'nosniff',
    // For pages of every merchant, also those that load it with `crossorigin` or isolate themselves.
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    etag,
  };
  return { bytes, headers };
}

@Module({ controllers: [PaymentFormScriptController] })
export class PaymentFormScriptModule {}
