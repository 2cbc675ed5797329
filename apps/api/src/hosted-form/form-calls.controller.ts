import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FormProgress, FormSession } from '@tillstream/contracts';
import type { AdmitSubmission } from '@tillstream/payments';
import { Form, type FormRequest } from '../access/caller.js';
import { Callers } from '../access/callers.js';
import { SubmissionGuard } from '../card-testing/submission.guard.js';
import { issuerOf } from '../card-testing/submission.limits.js';
import { invalidFields } from '../http/api.error.js';
import { StrictRequests } from '../http/endpoint.decorators.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { CancelForm, CompleteChallenge, SubmitForm } from './form.handlers.js';
import { FormLinks } from './form.links.js';
import { openChallengeIn, outcomeOf, progressOf, sessionOf } from './form.responses.js';
import { submissionErrors, submissionOf } from './submission.check.js';
import { FormChallengeDto, FormSubmissionDto } from './submission.dto.js';

/** The calls of a form's page (`docs/spec/hosted-form.md#calls-of-the-form`). */
@Controller('pay/:sessionId')
@Callers('FormSession')
@StrictRequests()
export class FormCallsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly guard: SubmissionGuard,
    private readonly links: FormLinks,
  ) {}

  @Get('session')
  session(@Form() { opened }: FormRequest): FormSession {
    return this.links.challengeLinked(sessionOf(opened));
  }

  @Post('submit')
  async submit(
    @Form() { opened, call, network }: FormRequest,
    @Body() body: FormSubmissionDto,
  ): Promise<FormProgress> {
    const errors = submissionErrors(opened, body);
    if (errors.length > 0) throw invalidFields(errors);
    const submission = submissionOf(body);
    const from = { ip: network, bin: issuerOf(submission), merchantId: opened.merchant.id };
    const admit: AdmitSubmission = (submit) => this.guard.admit(from, submit, outcomeOf);
    const result = await this.commands.execute(
      new SubmitForm(opened.sessionId, submission, { ...call, admit }),
    );
    return this.links.challengeLinked(progressOf(result, call.key !== undefined));
  }

  /** Goes on after a 3-D Secure challenge; before its end it answers that the challenge is open. */
  @Post('challenge')
  async challenge(
    @Form() { opened, call, network }: FormRequest,
    @Body() { cvv }: FormChallengeDto,
  ): Promise<FormProgress> {
    const given = cvv === undefined ? {} : { cvv };
    const result = await this.commands.execute(
      new CompleteChallenge(opened.sessionId, { ...call, ...given }),
    );
    // A repeated call finds no open challenge, and is not counted again.
    if (openChallengeIn(opened.subject)) {
      this.guard.countAfterChallenge({ ip: network, merchantId: opened.merchant.id }, outcomeOf(result));
    }
    return this.links.challengeLinked(progressOf(result, call.key !== undefined));
  }

  @Post('cancel')
  async cancel(@Form() { opened, call }: FormRequest, @Body() _body: NoFieldsDto): Promise<FormProgress> {
    const result = await this.commands.execute(new CancelForm(opened.sessionId, call));
    return progressOf(result, call.key !== undefined);
  }
}
