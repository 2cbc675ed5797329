import type { OperationId } from '@tillstream/domain';
import { EventStoreError } from '@tillstream/event-store';
import { startAttempt } from '../attempts/send-window.js';
import { newCommandId } from '../identifiers.js';
import type { Parts } from '../parts.js';
import { completeFormChallenge, type ChallengeCall } from './form.challenge.js';
import { endForm } from './form.end.js';
import {
  formCause,
  openedForm,
  withFormOfOperation,
  withFormOfSession,
  type FormStep,
} from './form.lookup.js';
import { formResult, rejectedResult, submitToForm } from './form.submission.js';
import type {
  AdmitSubmission,
  FormCall,
  FormResult,
  FormSubmission,
  OpenedForm,
} from './hosted-form.types.js';

/** What customers do at hosted forms. The session id is the credential (`docs/spec/hosted-form.md#session`). */
export class FormSessions {
  constructor(private readonly parts: Parts) {}

  /** Undefined: no form has this session id. @throws EventStoreError */
  find(sessionId: string): Promise<OpenedForm | undefined> {
    return withFormOfSession(this.parts, sessionId, (session) =>
      Promise.resolve(openedForm(this.parts, session)),
    );
  }

  /** @param call `admit`: decides whether an attempt may begin, before anything is stored; left out: it may */
  async submit(
    sessionId: string,
    submission: FormSubmission,
    call: FormCall & { readonly admit?: AdmitSubmission },
  ): Promise<FormResult> {
    const start = startAttempt(this.parts);
    const result = await this.run(withFormOfSession, sessionId, (session) =>
      submitToForm(this.parts, session, { ...call, submission, start }),
    );
    this.parts.crashPoints.reached('before-response');
    return result;
  }

  /** Goes on after a 3-D Secure challenge (`docs/spec/three-d-secure.md#challenge`). */
  async completeChallenge(sessionId: string, call: ChallengeCall): Promise<FormResult> {
    const result = await this.run(withFormOfSession, sessionId, (session) =>
      completeFormChallenge(this.parts, session, call),
    );
    this.parts.crashPoints.reached('before-response');
    return result;
  }

  /** The same for the form of an attempt, for a 3-D Secure server in this process. @param key `<trx id>.<try>` */
  async completeChallengeOf({ key }: { readonly key: string }, call: ChallengeCall): Promise<FormResult> {
    const [operationId = ''] = key.split('.');
    return this.run(withFormOfOperation, operationId as OperationId, (session) =>
      completeFormChallenge(this.parts, session, call),
    );
  }

  /** After a failed attempt the operation ends with its result, else as cancelled. */
  async cancel(sessionId: string, { traceId }: FormCall): Promise<FormResult> {
    return this.run(withFormOfSession, sessionId, async (session) => {
      const { aggregate } = session;
      const cause = formCause(session, newCommandId(), traceId);
      const ended = await endForm(this.parts, aggregate, { ...session, cause }, aggregate.cancel);
      if (ended.kind === 'Rejected') return rejectedResult(ended.rejection);
      if (ended.kind === 'Contended') return ended;
      return formResult(this.parts, session, ended.loaded, cause);
    });
  }

  private async run<Id>(
    withForm: (parts: Parts, id: Id, step: FormStep<FormResult>) => Promise<FormResult | undefined>,
    id: Id,
    step: FormStep<FormResult>,
  ): Promise<FormResult> {
    try {
      return (await withForm(this.parts, id, step)) ?? { kind: 'Unknown' };
    } catch (error) {
      // An append without a known result is no promise that nothing was stored.
      if (!(error instanceof EventStoreError) || error.code === 'Unknown') throw error;
      this.parts.log.error('request-not-written', { reason: error.code });
      return { kind: 'NotStored' };
    }
  }
}
