import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { ApiRequest, ApiResponse } from './api.request.js';
import { isOrigin } from './origin.js';

/** An origin as browsers write it (`https://shop.example`), the service's own, or, of images, data in the page itself. */
type Source = "'self'" | 'data:' | `http${string}`;

/** What a page may do besides running its own files; scripts and styles are files of this origin on every page. */
export interface PagePolicy {
  /** Added to what the page may load, call, embed or send forms to. */
  readonly sources?: Readonly<
    Partial<Record<'img-src' | 'connect-src' | 'frame-src' | 'form-action', readonly Source[]>>
  >;
  /** The origins whose pages may put this one into a frame, as browsers write them. Default: none. */
  readonly framedBy?: readonly string[] | 'anyone';
  /** The referrer that links and calls of the page send. Default: none. */
  readonly referrer?: 'no-referrer' | 'strict-origin';
  /** Whether pages of other origins may use the file, a script for them. Default: no. */
  readonly forAnyOrigin?: boolean;
  /** Default `never`: neither a browser nor a proxy stores the page. */
  readonly caching?: keyof typeof CACHING;
}

const FIVE_MINUTES_SECONDS = 300;
const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;
const CACHING = {
  never: 'no-store',
  /** A browser stores it, and revalidates it before each use. */
  revalidated: 'no-cache',
  briefly: `public, max-age=${FIVE_MINUTES_SECONDS}`,
  daily: `public, max-age=${DAY_SECONDS}`,
  /** For a file with a hash of its contents in its name. */
  forever: `public, max-age=${YEAR_SECONDS}, immutable`,
} as const;

/** In the order in which a header has them. */
const STRICTEST = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const FRAME_OPTIONS = 'x-frame-options';

/**
 * The headers of a page with this policy. Not by helmet, which has other defaults for half of them.
 *
 * @throws Error where a source is neither an origin nor `'self'` nor `data:`: it could end the directive and start another
 */
export function pageHeaders(policy: PagePolicy): Readonly<Record<string, string>> {
  const { sources = {}, framedBy = [], referrer = 'no-referrer', caching = 'never' } = policy;
  const { forAnyOrigin = false } = policy;
  const added: Readonly<Record<string, readonly string[]>> = {
    ...sources,
    ...(framedBy !== 'anyone' && { 'frame-ancestors': framedBy }),
  };
  const directives = Object.entries(STRICTEST).map(([name, strictest]) => {
    const isOpen = name === 'frame-ancestors' && framedBy === 'anyone';
    return [name, ...(isOpen ? ['*'] : allowed(strictest, added[name] ?? []))].join(' ');
  });
  return {
    'content-security-policy': directives.join('; '),
    'x-content-type-options': 'nosniff',
    // It can't name an origin, so it is left out where an origin may frame the page.
    ...(framedBy.length === 0 && { [FRAME_OPTIONS]: 'DENY' }),
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': forAnyOrigin ? 'cross-origin' : 'same-origin',
    ...(forAnyOrigin && { 'access-control-allow-origin': '*' }),
    'cache-control': CACHING[caching],
  };
}

function allowed(strictest: readonly string[], added: readonly string[]): readonly string[] {
  const wrong = added.find((source) => source !== "'self'" && source !== 'data:' && !isOrigin(source));
  if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} is no source of a page`);
  const none = strictest[0] === "'none'";
  return added.length === 0 ? strictest : [...new Set([...(none ? [] : strictest), ...added])];
}

/**
 * On a method that sends a page or one of its files, or on a controller of such methods: sends the headers of the policy,
 * also with the method's errors. A function computes the policy of each request, after the guards: it knows the caller, and
 * a request that a guard rejects gets a JSON error without these headers.
 */
export const Page = (
  policy: PagePolicy | ((request: ApiRequest) => PagePolicy) = {},
): ClassDecorator & MethodDecorator => UseInterceptors(new PageHeaders(policy));

@Injectable()
class PageHeaders implements NestInterceptor {
  private readonly headers: (request: ApiRequest) => Readonly<Record<string, string>>;

  constructor(policy: PagePolicy | ((request: ApiRequest) => PagePolicy)) {
    if (typeof policy === 'function') this.headers = (request) => pageHeaders(policy(request));
    else {
      const headers = pageHeaders(policy);
      this.headers = () => headers;
    }
  }

  intercept(context: ExecutionContext, next: CallHandler): ReturnType<CallHandler['handle']> {
    const http = context.switchToHttp();
    const response = http.getResponse<ApiResponse>();
    // A method's own policy counts instead of its controller's.
    response.removeHeader(FRAME_OPTIONS);
    for (const [name, value] of Object.entries(this.headers(http.getRequest<ApiRequest>())))
      response.setHeader(name, value);
    return next.handle();
  }
}
