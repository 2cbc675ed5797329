import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FormProgress, FormSession } from '@tillstream/contracts';
import { Form, type FormRequest } from '../access/caller.js';
import { Callers } from '../access/callers.js';
import { StrictRequests } from '../http/endpoint.decorators.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import { CancelForm, CompleteChallenge, SubmitForm } from './form.handlers.js';
import { FormLinks } from './form.links.js';
import { progressOf, sessionOf } from './form.responses.js';
import { FormChallengeDto, FormSubmissionDto } from './submission/submission.dto.js';

/** The calls of a form's page (`docs/spec/hosted-form.md#calls-of-the-form`). */
@Controller('pay/:sessionId')
@Callers('FormSession')
@StrictRequests()
export class FormCallsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: FormLinks,
  ) {}

  @Get('session')
  session(@Form() { opened }: FormRequest): FormSession {
    return this.links.challengeLinked(sessionOf(opened));
  }

  @Post('submit')
  async submit(@Form() form: FormRequest, @Body() body: FormSubmissionDto): Promise<FormProgress> {
    const result = await this.commands.execute(new SubmitForm(form, body));
    return this.links.challengeLinked(progressOf(result, form.call.key !== undefined));
  }

  /** Goes on after a 3-D Secure challenge; before its end it answers that the challenge is open. */
  @Post('challenge')
  async challenge(@Form() form: FormRequest, @Body() { cvv }: FormChallengeDto): Promise<FormProgress> {
    const result = await this.commands.execute(new CompleteChallenge(form, cvv));
    return this.links.challengeLinked(progressOf(result, form.call.key !== undefined));
  }

  @Post('cancel')
  async cancel(@Form() form: FormRequest, @Body() _body: NoFieldsDto): Promise<FormProgress> {
    const result = await this.commands.execute(new CancelForm(form));
    return progressOf(result, form.call.key !== undefined);
  }
}
