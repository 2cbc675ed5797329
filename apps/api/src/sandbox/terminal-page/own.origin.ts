import { isIP } from 'node:net';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { SandboxControls } from '@tillstream/platform';
import { SANDBOX } from '../../api.parts.js';
import { detailedError, type ApiError } from '../../http/api.error.js';
import type { ApiRequest } from '../../http/api.request.js';

/*
 * The terminals' pages need no key (`docs/spec/README.md#addresses`), so what reaches them must come from themselves:
 * not from another site in the same browser, and not from a site whose name was made to point at this machine.
 */

/** For the pages: any link may open them, under a name of this service. */
@Injectable()
export class OwnNameGuard implements CanActivate {
  constructor(@Inject(SANDBOX) private readonly sandbox: SandboxControls) {}

  canActivate(context: ExecutionContext): boolean {
    const { host } = context.switchToHttp().getRequest<ApiRequest>().headers;
    if (host !== undefined && isOwnName(host, this.sandbox.pageHosts)) return true;
    const allowed = 'an address, localhost, a name without a dot, or one of SANDBOX_PAGE_HOSTS';
    throw foreign('Host', `The terminals' pages are not served by this name.`, allowed);
  }
}

/** For the requests of the pages. */
@Injectable()
export class OwnOriginGuard extends OwnNameGuard {
  override canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<ApiRequest>();
    const { host = '', origin, 'sec-fetch-site': site } = headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw foreign('Sec-Fetch-Site', 'Only the page itself may call this.', 'same-origin');
    }
    if (origin !== undefined && !isSameHost(origin, host)) {
      throw foreign('Origin', 'Only the page itself may call this.', 'the origin of this service');
    }
    return super.canActivate(context);
  }
}

/** Names that no outside DNS can point to this machine, and the names in SANDBOX_PAGE_HOSTS. */
export function isOwnName(host: string, named: readonly string[]): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const bare = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) !== 0 || !bare.includes('.') || bare.endsWith('.localhost') || named.includes(bare);
}

/** Schemes may differ: something in front of this service may speak TLS. */
function isSameHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const own = `${from.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === from.host;
}

function foreign(field: string, message: string, allowed: string): ApiError {
  const details = `received another, allowed ${allowed}`;
  return detailedError(401, ErrorCode.AuthenticationGenericError, message, { field, details });
}
