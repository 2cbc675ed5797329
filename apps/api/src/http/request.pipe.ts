import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { checksOf, isNeverEmpty } from '../validation/body.check.js';
import type { Dto } from '../validation/field.schema.js';
import { validBody } from '../validation/valid.body.js';
import { invalidFields } from './api.error.js';
import { emptyBody, ReceivedBody } from './received.body.js';
import { ReceivedQuery } from './received.query.js';

/**
 * Turns what was received into the class that `@Body()` or `@Query()` of a controller's method declares. Nest's own
 * ValidationPipe does not fit: it needs a body that was parsed before, and JSON parsers lose repeated names and digits.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  constructor(private readonly modules: ModuleRef) {}

  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    if (value instanceof ReceivedBody) return this.dto(value, metatype as Dto<object>);
    if (value instanceof ReceivedQuery) {
      return new (metatype as new (query: ReceivedQuery) => object)(value);
    }
    return value;
  }

  /** 2900, then all errors of fields and parameters (`docs/spec/errors.md#which-answer-wins`). */
  private async dto(received: ReceivedBody, dto: Dto<object>): Promise<object> {
    const { body, errors } = validBody(dto, received.isEmpty ? {} : received.parse());
    // An empty body counts as `{}` where `{}` is valid.
    if (received.isEmpty && (errors.length > 0 || isNeverEmpty(dto))) throw emptyBody();
    const reported = new Set(errors.map(({ field }) => field));
    const checked = checksOf(dto).flatMap((check) =>
      this.modules.get(check, { strict: false }).errors(body, errors),
    );
    const all = [...errors, ...checked.filter(({ field }) => !reported.has(field)), ...received.queryErrors];
    if (all.length > 0) throw invalidFields(all);
    received.dto = body;
    await received.whenValid();
    return body;
  }
}
