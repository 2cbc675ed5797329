import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ApiInterceptor } from './api.interceptor.js';
import { ErrorFilter } from './error.filter.js';
import { RequestPipe } from './request.pipe.js';

/** What every route has: the interceptor and the pipe of requests, and the filter of errors. */
@Module({
  providers: [
    { provide: APP_INTERCEPTOR, useClass: ApiInterceptor },
    { provide: APP_PIPE, useClass: RequestPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class HttpModule {}
