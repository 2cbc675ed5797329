import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Callers } from '../access/callers.js';
import type { JsonResponse } from '../http/json.response.js';
import { invalidFields, notFound } from '../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../http/api.request.js';
import { Page } from '../http/page.headers.js';
import { QUERY_NONE, queryParameters } from '../http/received.query.js';
import { ApiDocuments } from './api.documents.js';
import { isReferenceFile, referencePolicy, ReferenceFiles } from './reference.files.js';

/**
 * The interactive reference, and the merchants' description that it shows; neither needs a key
 * (`docs/spec/README.md#addresses`).
 */
@Controller()
@Callers('Anyone')
export class DocsController {
  private readonly files = new ReferenceFiles();

  constructor(private readonly documents: ApiDocuments) {}

  @Get('openapi.json')
  document(): JsonResponse {
    return this.documents.answer('Merchants');
  }

  /** One page for both readers: for operators it asks for an admin key, and fetches their description with it. */
  @Get(['docs{/}', 'docs/operators'])
  @Page(referencePolicy('reference.html'))
  page(@Req() request: ApiRequest, @Res() response: ApiResponse): void {
    this.files.send(request, response, 'reference.html');
  }

  @Get('docs/:file')
  @Page(({ params }) => referencePolicy(String(params.file)))
  file(@Req() request: ApiRequest, @Res() response: ApiResponse, @Param('file') name: string): void {
    if (!isReferenceFile(name)) throw notFound('There is no such file.');
    this.files.send(request, response, name);
  }
}

/** The operators' description: only who holds an admin key may read what they can do. */
@Controller('admin/v1/openapi.json')
@Callers('AdminKey')
export class OperatorsDocumentController {
  constructor(private readonly documents: ApiDocuments) {}

  @Get()
  document(@Req() request: ApiRequest): JsonResponse {
    const { errors } = queryParameters(request, QUERY_NONE);
    if (errors.length > 0) throw invalidFields(errors);
    return this.documents.answer('Operators');
  }
}
