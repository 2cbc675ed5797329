import { Inject, Injectable, type INestApplication } from '@nestjs/common';
import { ADDRESS, type ListeningAddress } from '../api.parts.js';
import { JsonResponse } from '../http/json.response.js';
import { openApiDocument, type Readers } from '../openapi/document.js';

/**
 * The documents of the endpoints that this process serves: a service in live mode shows no sandbox. Each is made when
 * it is first requested.
 */
@Injectable()
export class ApiDocuments {
  private readonly answers = new Map<Readers, JsonResponse>();
  private app: INestApplication | undefined;

  constructor(@Inject(ADDRESS) private readonly address: ListeningAddress) {}

  /** @nestjs/swagger reads routes from the application itself, which no provider can inject. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  answer(readers: Readers): JsonResponse {
    const known = this.answers.get(readers);
    if (known) return known;
    if (!this.app) throw new Error('the documents have no application');
    const answer = JsonResponse.ok(openApiDocument(readers, this.app, this.address.origin));
    this.answers.set(readers, answer);
    return answer;
  }
}
