import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ADDRESS, type ListeningAddress } from '../api.parts.js';
import { JsonResponse } from '../http/json.response.js';
import { openApiDocument, type ControllerClass, type Readers } from '../openapi/index.js';

/** What this very process answers, described: a service in live mode shows no sandbox. */
@Injectable()
export class ApiDocuments {
  private readonly answers = new Map<Readers, JsonResponse>();

  constructor(
    private readonly modules: ModulesContainer,
    @Inject(ADDRESS) private readonly address: ListeningAddress,
  ) {}

  answer(readers: Readers): JsonResponse {
    const known = this.answers.get(readers);
    if (known) return known;
    const answer = JsonResponse.ok(openApiDocument(readers, this.controllers(), this.address.origin));
    this.answers.set(readers, answer);
    return answer;
  }

  private controllers(): readonly ControllerClass[] {
    return [...this.modules.values()].flatMap(({ controllers }) =>
      [...controllers.values()].flatMap(({ metatype }) => (metatype ? [metatype as ControllerClass] : [])),
    );
  }
}
