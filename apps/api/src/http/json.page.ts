import type { ListPage } from '@tillstream/contracts';
import { JsonResponse } from './json.response.js';

/** A page of a list whose items are JSON texts, as the rows of read models are: they are joined and not parsed. */
export class JsonPage {
  constructor(
    readonly texts: readonly string[],
    readonly rest: Omit<ListPage<never>, 'data'>,
  ) {}

  get response(): JsonResponse {
    const rest = JSON.stringify(this.rest);
    return new JsonResponse(200, `{"data":[${this.texts.join(',')}],${rest.slice(1)}`);
  }

  /** The items as objects. @throws SyntaxError if a stored text is damaged */
  get items(): readonly unknown[] {
    return this.texts.map((text) => JSON.parse(text) as unknown);
  }
}
