import { Controller, Inject, Post, Res } from '@nestjs/common';
import {
  ANSWER_CHALLENGE_BODY,
  AUTHENTICATE_BODY,
  CHALLENGE_BODY,
  CHALLENGE_RESULT_BODY,
  WIRE_PATHS,
  type AnswerChallengeBody,
  type AuthenticateBody,
  type Challenge,
  type ChallengeBody,
  type ChallengeResultBody,
  type Sandbox,
} from '@tillstream/sandbox';
import type { Response } from 'express';
import { respond } from './http/line.writer.js';
import { WireBody } from './http/wire.request.js';
import { SANDBOX } from './sandbox.parts.js';

/** The simulated 3-D Secure server, and the challenges of its cardholders. */
@Controller()
export class ThreeDsController {
  constructor(@Inject(SANDBOX) private readonly sandbox: Sandbox) {}

  @Post(WIRE_PATHS.authenticate)
  authenticate(@WireBody(AUTHENTICATE_BODY) body: AuthenticateBody, @Res() response: Response): void {
    respond(response, { key: body.key, authentication: this.sandbox.threeDs.authenticate(body) });
  }

  @Post(WIRE_PATHS.challengeResult)
  result(
    @WireBody(CHALLENGE_RESULT_BODY) { key, challengeId }: ChallengeResultBody,
    @Res() response: Response,
  ): void {
    respond(response, { key, result: this.sandbox.threeDs.result(key, challengeId) });
  }

  @Post(WIRE_PATHS.challenge)
  find(@WireBody(CHALLENGE_BODY) { challengeId }: ChallengeBody, @Res() response: Response): void {
    respondWithChallenge(response, this.sandbox.threeDs.find(challengeId));
  }

  @Post(WIRE_PATHS.answerChallenge)
  answer(
    @WireBody(ANSWER_CHALLENGE_BODY) { challengeId, code }: AnswerChallengeBody,
    @Res() response: Response,
  ): void {
    respondWithChallenge(response, this.sandbox.threeDs.answer(challengeId, code));
  }
}

function respondWithChallenge(response: Response, challenge: Challenge | undefined): void {
  respond(response, { challenge: challenge ?? null });
}
