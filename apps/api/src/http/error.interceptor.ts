import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { EventStoreError } from '@tillstream/event-store';
import { catchError, type Observable } from 'rxjs';
import { notStored, type ApiError } from './api.error.js';

/** On the controllers of a feature: turns what its use cases throw into errors of the API. */
export abstract class ErrorInterceptor implements NestInterceptor {
  /** Undefined: the error is none of the feature, and is thrown on as it is. */
  protected abstract apiError(error: unknown): ApiError | undefined;

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw this.apiError(error) ?? error;
      }),
    );
  }
}

/** For use cases of one append: if the event store was not available, nothing was stored. */
export function notAppendedError(error: unknown): ApiError | undefined {
  return error instanceof EventStoreError && error.code === 'Unavailable' ? notStored() : undefined;
}
