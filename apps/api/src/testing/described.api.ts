import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiModule } from '../api.module.js';
import type { ApiParts } from '../api.parts.js';
import { JsonAdapter } from '../http/json.adapter.js';

let app: Promise<INestApplication> | undefined;

/** The whole API, with the sandbox, to be described only: in Nest's preview mode it makes no provider and no controller. */
export function describedApi(): Promise<INestApplication> {
  const parts = { adapters: { sandbox: {} }, lists: {} } as ApiParts;
  return (app ??= NestFactory.create(
    ApiModule.of(parts, { origin: '', publicOrigin: '' }),
    new JsonAdapter(),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  ));
}
