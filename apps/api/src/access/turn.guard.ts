import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ErrorCode } from '@tillstream/contracts';
import type { Metrics } from '@tillstream/platform';
import { ADAPTERS, TURNS } from '../api.parts.js';
import { ApiError } from '../http/api.error.js';
import { isReading, type ApiRequest, type ApiResponse } from '../http/api.request.js';
import { callerIds } from './caller.js';
import type { MerchantTurns } from './merchant.turns.js';

/** A client that sends again at once after each refusal costs little: a refusal is answered after this time. */
const REFUSAL_MS = 1_000;
const HELD_REFUSALS_MAX = 1_000;
const RETRY_AFTER_S = 1;

type TurnMetrics = Pick<Metrics, 'turnsRefused' | 'observableGauge'>;

/**
 * Gives each request of a merchant its turn, or refuses it with 429 (`docs/spec/authentication.md#requests-in-flight`).
 * Operators' requests have no turns.
 */
@Injectable()
export class TurnGuard {
  private readonly metrics: TurnMetrics;
  private heldRefusals = 0;

  constructor(
    @Inject(TURNS) private readonly turns: MerchantTurns,
    @Inject(ADAPTERS)
    { observability }: { readonly observability: { readonly metrics: TurnMetrics } },
  ) {
    this.metrics = observability.metrics;
    this.metrics.turnsRefused.labels().inc(0);
  }

  /** Before the body is received. @throws ApiError 429: the merchant has too many requests in flight */
  enter(request: ApiRequest, response: ApiResponse): undefined | Promise<never> {
    const { merchantId } = callerIds(request);
    if (merchantId === undefined) return undefined;
    const turn = this.turns.enter(merchantId);
    if (!turn) return this.refuse(request);
    request.turn = turn;
    // If the client left during the authentication, `close` was emitted already.
    if (response.destroyed) turn.abandon();
    else response.once('close', () => turn.abandon());
    return undefined;
  }

  /** Once the body is received. @throws ApiError 429: the turn did not come in time */
  start(request: ApiRequest): undefined | Promise<undefined> {
    const started = request.turn?.start(costOf(request)) ?? true;
    return started === true ? undefined : this.startLater(request, started);
  }

  private async startLater(request: ApiRequest, started: Promise<boolean>): Promise<undefined> {
    if (!(await started)) throw this.refusal(request);
  }

  private async refuse(request: ApiRequest): Promise<never> {
    const refusal = this.refusal(request);
    if (this.heldRefusals >= HELD_REFUSALS_MAX) throw refusal;
    this.heldRefusals += 1;
    try {
      await setTimeout(REFUSAL_MS, undefined, { ref: false });
    } finally {
      this.heldRefusals -= 1;
    }
    throw refusal;
  }

  private refusal(request: ApiRequest): ApiError {
    request.hasNoTurn = true;
    if (!request.socket.destroyed) this.metrics.turnsRefused.labels().inc();
    const message = 'Too many requests of the merchant at once; try again later.';
    return new ApiError(429, ErrorCode.UnknownServerGenericError, message, {
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    });
  }
}

/*
 * About how many ms of the event loop requests take, and more than that for reads and stored cards: other merchants' payments go
 * before them. Only the proportions matter.
 */
const SINGLE_READ_MS = 1;
const LISTED_ITEM_MS = 0.4;
const WRITE_MS = 3;
/** Its vault commits too. */
const STORED_CARD_MS = 30;
const ITEMS_DEFAULT = 25;
const ITEMS_MAX = 100;

/** A list costs by its items: one of 100 tokens, which are decrypted, takes as long as four sales. */
function costOf(request: ApiRequest): number {
  if (!isReading(request))
    return request.originalUrl.startsWith('/v1/payment-methods') ? STORED_CARD_MS : WRITE_MS;
  const parameters = request.originalUrl.split('?')[1];
  const isSingle = parameters === undefined && Object.keys(request.params).length > 0;
  if (isSingle) return SINGLE_READ_MS;
  const limit = Number(new URLSearchParams(parameters).get('limit') ?? ITEMS_DEFAULT);
  return SINGLE_READ_MS + LISTED_ITEM_MS * (limit > 0 ? Math.min(limit, ITEMS_MAX) : 0);
}
