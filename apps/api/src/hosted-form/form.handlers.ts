import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { FormResult, Forms } from '@tillstream/payments';
import type { FormRequest } from '../access/caller.js';
import { FORMS } from '../api.parts.js';
import { SubmissionGuard } from '../card-testing/submission.guard.js';
import { issuerOf } from '../card-testing/submission.limits.js';
import { invalidFields } from '../http/api.error.js';
import { openChallengeIn, outcomeOf } from './form.responses.js';
import { submissionErrors, submissionOf } from './submission/submission.check.js';
import type { FormSubmissionDto } from './submission/submission.dto.js';

export class SubmitForm extends Command<FormResult> {
  constructor(
    readonly form: FormRequest,
    readonly submission: FormSubmissionDto,
  ) {
    super();
  }
}

@CommandHandler(SubmitForm)
export class SubmitFormHandler implements ICommandHandler<SubmitForm> {
  constructor(
    @Inject(FORMS) private readonly forms: Forms,
    private readonly guard: SubmissionGuard,
  ) {}

  /** @throws ApiError if the submission does not fit the form, or is one too many */
  async execute({ form: { opened, call, network }, submission: body }: SubmitForm): Promise<FormResult> {
    const errors = submissionErrors(opened, body);
    if (errors.length > 0) throw invalidFields(errors);
    const submission = submissionOf(body);
    const from = { ip: network, bin: issuerOf(submission), merchantId: opened.merchant.id };
    return this.forms.submit(opened.sessionId, submission, {
      ...call,
      admit: (submit) => this.guard.admit(from, submit, outcomeOf),
    });
  }
}

/** Goes on after a 3-D Secure challenge. */
export class CompleteChallenge extends Command<FormResult> {
  constructor(
    readonly form: FormRequest,
    readonly cvv: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(CompleteChallenge)
export class CompleteChallengeHandler implements ICommandHandler<CompleteChallenge> {
  constructor(
    @Inject(FORMS) private readonly forms: Forms,
    private readonly guard: SubmissionGuard,
  ) {}

  async execute({ form: { opened, call, network }, cvv }: CompleteChallenge): Promise<FormResult> {
    const given = cvv === undefined ? {} : { cvv };
    const result = await this.forms.completeChallenge(opened.sessionId, { ...call, ...given });
    // A repeated call finds no open challenge, and is not counted again.
    if (openChallengeIn(opened.subject)) {
      this.guard.countAfterChallenge({ ip: network, merchantId: opened.merchant.id }, outcomeOf(result));
    }
    return result;
  }
}

export class CancelForm extends Command<FormResult> {
  constructor(readonly form: FormRequest) {
    super();
  }
}

@CommandHandler(CancelForm)
export class CancelFormHandler implements ICommandHandler<CancelForm> {
  constructor(@Inject(FORMS) private readonly forms: Forms) {}

  execute({ form: { opened, call } }: CancelForm): Promise<FormResult> {
    return this.forms.cancel(opened.sessionId, call);
  }
}

export const FORM_HANDLERS = [SubmitFormHandler, CompleteChallengeHandler, CancelFormHandler];
