import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { Forms, OpenedForm } from '@tillstream/payments';
import { FORMS } from '../api.parts.js';
import { notFound, type ApiError } from '../http/api.error.js';
import type { ApiRequest } from '../http/api.request.js';
import type { CallerFacts, Credential } from './credential.js';

/** A customer at a hosted form. No response to a customer is stored: a body has card data. */
export interface FormSessionCaller extends CallerFacts {
  readonly kind: 'FormSession';
  readonly opened: OpenedForm;
}

/** The session id of a hosted form, in the path (`docs/spec/hosted-form.md#session`). A form that is over still has one. */
@Injectable()
export class FormSessionCredential implements Credential<FormSessionCaller> {
  readonly kind = 'FormSession';

  constructor(@Inject(FORMS) private readonly forms: Forms) {}

  sentIn({ params: { sessionId } }: ApiRequest): string | undefined {
    return typeof sessionId === 'string' ? sessionId : undefined;
  }

  async callerOf(sessionId: string, request: ApiRequest): Promise<FormSessionCaller | undefined> {
    const opened = await this.forms.find(sessionId);
    if (!opened) return undefined;
    request.logged.transactionId = opened.subject.operationId;
    return { kind: 'FormSession', actor: { type: 'Customer', name: 'hosted form' }, opened };
  }

  invalid(): ApiError {
    return notFound('There is no such session.', ErrorCode.InvalidOrExpiredSession);
  }

  rateOf(): undefined {
    return undefined;
  }

  forbidden(): undefined {
    return undefined;
  }
}
