import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Param,
  Req,
  Res,
  type INestApplication,
} from '@nestjs/common';
import { Callers } from '../access/callers.js';
import { ADDRESS, type ListeningAddress } from '../api.parts.js';
import { JsonResponse } from '../http/json.response.js';
import { invalidFields } from '../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { Page } from '../http/page.headers.js';
import { QUERY_NONE, queryParameters } from '../http/received.query.js';
import { openApiDocument, type Readers } from '../openapi/document.js';
import { referenceFiles, referencePolicy } from './reference.files.js';

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

/**
 * The interactive reference, and the merchants' description that it shows; neither needs a key
 * (`docs/spec/README.md#addresses`).
 */
@Controller()
@Callers('Anyone')
class DocsController {
  constructor(private readonly documents: ApiDocuments) {}

  @Get('openapi.json')
  document(): JsonResponse {
    return this.documents.answer('Merchants');
  }

  /** One page for both readers: for operators it asks for an admin key, and fetches their description with it. */
  @Get(['docs{/}', 'docs/operators'])
  @Page(referencePolicy('reference.html'))
  page(@Res() response: ApiResponse): Promise<void> {
    return referenceFiles('reference.html').sendPage(response, 'reference.html');
  }

  @Get('docs/:file')
  @Page(({ params }) => referencePolicy(String(params.file)))
  file(@Res() response: ApiResponse, @Param('file') name: string): Promise<void> {
    return referenceFiles(name).send(response, name);
  }
}

/** The operators' description: only who holds an admin key may read what they can do. */
@Controller('admin/v1/openapi.json')
@Callers('AdminKey')
class OperatorsDocumentController {
  constructor(private readonly documents: ApiDocuments) {}

  @Get()
  document(@Req() request: ApiRequest): JsonResponse {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    return this.documents.answer('Operators');
  }
}

@Module({ controllers: [DocsController, OperatorsDocumentController], providers: [ApiDocuments] })
export class DocsModule {}
