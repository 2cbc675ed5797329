import { Body, Catch, Controller, Get, Inject, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FormProgress } from '@tillstream/contracts';
import type { Challenge, SandboxControls } from '@tillstream/platform';
import { Callers } from '../../access/callers.js';
import { SANDBOX } from '../../api.parts.js';
import { FormLinks } from '../../hosted-form/form.links.js';
import { progressOf } from '../../hosted-form/form.responses.js';
import { notFound, type ApiError } from '../../http/api.error.js';
import type { ApiRequest, ApiResponse } from '../../http/api.request.js';
import { StrictRequests } from '../../http/endpoint.decorators.js';
import { ErrorFilter } from '../../http/error.filter.js';
import { PageFiles } from '../../http/page.files.js';
import { Page, pageHeaders } from '../../http/page.headers.js';
import { ChallengeAnswerDto } from './challenge.dto.js';
import { CompleteChallengeOf } from './challenge.handlers.js';
import { ACS_FILES, challengePage } from './challenge.page.js';
import { LANGUAGES, type Language } from './challenge.texts.js';

const FILES = new PageFiles(ACS_FILES);
/** A challenge id is the credential of its page. Any text of another form is no id. */
const CHALLENGE_ID = /^[\w-]{1,100}$/;

/** Sends the errors of the page as pages. */
@Catch()
class ChallengeErrorPages extends ErrorFilter {
  protected override send(response: ApiResponse, { http }: ApiError): Promise<void> {
    const headers = pageHeaders({ framedBy: 'anyone' });
    response.removeHeader('x-frame-options');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return FILES.sendPage(response, http === 404 ? 'unknown.html' : 'failed.html', http);
  }
}

/** The page of the simulated bank on which a cardholder answers a challenge. */
@Controller('sandbox/acs')
@Callers('Anyone')
@UseFilters(ChallengeErrorPages)
export class ChallengePageController {
  constructor(@Inject(SANDBOX) private readonly sandbox: SandboxControls) {}

  /** In French or English: `?lang=`, else what the browser asks for. */
  @Get(':challengeId')
  @Page({ framedBy: 'anyone' })
  async page(
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
    @Param('challengeId') challengeId: string,
  ): Promise<void> {
    const challenge = existing(await this.sandbox.challenges.find(validId(challengeId)));
    const html = Buffer.from(challengePage(challenge, languageOf(request)));
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': html.length,
      vary: 'accept-language',
    });
    response.end(html);
  }

  @Get('files/:name')
  @Page({ caching: 'revalidated' })
  file(@Res() response: ApiResponse, @Param('name') name: string): Promise<void> {
    return FILES.send(response, name);
  }
}

/** The answers of cardholders, from the page or from a test without a browser. */
@Controller('sandbox/acs')
@Callers('Anyone')
@StrictRequests()
export class ChallengeAnswersController {
  constructor(
    @Inject(SANDBOX) private readonly sandbox: SandboxControls,
    private readonly commands: CommandBus,
    private readonly links: FormLinks,
  ) {}

  /** Only the first answer of a challenge counts. */
  @Post(':challengeId')
  async answer(
    @Param('challengeId') challengeId: string,
    @Body() { code, complete = true }: ChallengeAnswerDto,
    @Req() { traceId }: ApiRequest,
  ): Promise<FormProgress | { readonly done: true }> {
    const { key } = existing(await this.sandbox.challenges.answer(validId(challengeId), code));
    if (!complete) return { done: true };
    const result = await this.commands.execute(new CompleteChallengeOf(key, traceId));
    return this.links.challengeLinked(progressOf(result, false));
  }
}

function validId(challengeId: string): string {
  if (!CHALLENGE_ID.test(challengeId)) throw unknownChallenge();
  return challengeId;
}

function existing(challenge: Challenge | undefined): Challenge {
  if (!challenge) throw unknownChallenge();
  return challenge;
}

function unknownChallenge(): ApiError {
  return notFound('There is no such challenge.');
}

function languageOf(request: ApiRequest): Language {
  const named = new URLSearchParams(request.url.split('?')[1]).get('lang');
  const language = LANGUAGES.find((one) => one === named);
  return language ?? ((request.acceptsLanguages(...LANGUAGES) || 'en') as Language);
}
