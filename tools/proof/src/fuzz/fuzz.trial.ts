import { pathCase, queryCase } from './address.cases.js';
import { bodyCase, textCase } from './body.cases.js';
import { brokenRequest, slowRequest } from './broken.requests.js';
import { headerCase, keyCase } from './header.cases.js';
import { RandomGenerator } from './random.generator.js';
import { ComplaintList } from './complaint.list.js';
import { foreignCase } from './foreign-id.cases.js';
import { differs, responseErrors } from './response.checker.js';
import type { FuzzOperation } from './api.operations.js';
import {
  isResponse,
  shownBytes,
  shownRequest,
  type FuzzCase,
  type HttpResponse,
  type RawRequest,
  type NoResponse,
} from './fuzz.request.js';
import { CARD_NUMBERS } from './hostile.values.js';
import type { HttpSender } from './http.sender.js';
import type { FuzzFixture } from './fuzz.fixture.js';
import { inParallel } from '../support/concurrency.js';

const CONCURRENCY = 20;
const SLOWEST_MS = 10_000;
/** Wait for the end of an endless request. Node's own limits are 15 s and 60 s, checked every 30 s. */
const DRIPPED_OUT_MS = 110_000;

/** Sends cases, checks the responses and counts them. */
export class FuzzTrial {
  readonly complaints = new ComplaintList();
  readonly statuses = new Map<string, number>();
  private readonly times: number[] = [];
  private sent = 0;

  constructor(
    private readonly sender: HttpSender,
    private readonly fixture: FuzzFixture,
    private readonly operations: readonly FuzzOperation[],
    private readonly seed: number,
  ) {}

  get requests(): number {
    return this.sent;
  }

  /** Response time, ms. */
  quantile(part: number): number {
    const sorted = [...this.times].sort((one, two) => one - two);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  }

  /** Sends the cases with these numbers; none of them may write. */
  async refused(from: number, to: number): Promise<void> {
    await this.all(from, to, (random, index) => {
      if (random.is(0.07))
        return this.tryRaw(brokenRequest(this.fixture, random), `seed ${this.seed}, case ${index}`);
      return this.tryCase(this.refusedCase(random), `seed ${this.seed}, case ${index}`);
    });
  }

  /** Sends cases that may be valid and write; none may be answered with a 5xx. */
  async taken(from: number, to: number): Promise<void> {
    await this.all(from, to, (random, index) =>
      this.tryCase(
        bodyCase(this.operations, this.fixture, random, 'Taken'),
        `seed ${this.seed}, case ${index}`,
      ),
    );
  }

  async slow(count: number, neverEnds: boolean): Promise<void> {
    const requests = Array.from({ length: count }, (_, index) => slowRequest(this.fixture, neverEnds, index));
    const waitMs = neverEnds ? DRIPPED_OUT_MS : undefined;
    await inParallel(requests, count, (one) => this.tryRaw(one, one.name, waitMs));
  }

  private async all(
    from: number,
    to: number,
    work: (random: RandomGenerator, index: number) => Promise<void>,
  ): Promise<void> {
    const indexes = Array.from({ length: to - from }, (_, index) => from + index);
    await inParallel(indexes, CONCURRENCY, (index) => work(RandomGenerator.of(this.seed, index), index));
  }

  private refusedCase(random: RandomGenerator): FuzzCase {
    const { operations, fixture } = this;
    const kind = random.next();
    if (kind < 0.45) return bodyCase(operations, fixture, random, 'Refused');
    if (kind < 0.6) return queryCase(operations, fixture, random);
    if (kind < 0.68) return textCase(operations, fixture, random);
    if (kind < 0.78) return pathCase(operations, fixture, random);
    if (kind < 0.84) return keyCase(fixture, random);
    if (kind < 0.91) return headerCase(operations, fixture, random);
    return foreignCase(fixture, random);
  }

  private async tryCase(one: FuzzCase, name: string): Promise<void> {
    const { family, expected, request, twin, same = [] } = one;
    const response = await this.sender.send(request);
    this.count(response);
    const { secrets, canaries } = this.fixture;
    // Operators may see the other merchant, and a response may repeat what was sent, except keys. A refusal must not
    // repeat card digits; a success may, because there they are the merchant's own text.
    const theirs = request.path.startsWith('/admin')
      ? []
      : canaries.filter((text) => !shownWhole(one).includes(text));
    const cards = isResponse(response) && response.status === 200 ? [] : CARD_NUMBERS;
    const hidden = [...secrets, ...cards, ...theirs];
    const { method, path } = request;
    const example = `${name}: ${shownRequest(request, secrets)} → ${shownResponse(response, secrets)}`;
    for (const wrong of responseErrors({ method, path, expected, response, hidden, slowestMs: SLOWEST_MS }))
      this.complaints.add(`${family}: ${wrong}`, example);
    if (!twin) return;
    const unknown = await this.sender.send(twin);
    this.count(unknown);
    if (differs(response, unknown, same))
      this.complaints.add(
        `${family}: answered otherwise than an id that does not exist`,
        `${example}; else ${shownResponse(unknown, secrets)}`,
      );
  }

  private async tryRaw(request: RawRequest, name: string, waitMs?: number): Promise<void> {
    const answers = await this.sender.sendRaw(request, waitMs);
    const { secrets } = this.fixture;
    const drips = waitMs !== undefined;
    if (answers.length === 0) this.count(undefined, drips);
    if (drips && answers.length === 0) this.complaints.add(`${request.name}: never ended`, name);
    for (const response of answers) {
      this.count(response, drips);
      const hidden = [...secrets, ...this.fixture.canaries];
      const checked = { method: 'GET', path: '/v1', expected: request.expected, response, hidden };
      const shown = secrets.reduce((text, key) => text.replaceAll(key, '<key>'), shownBytes(request.bytes));
      for (const wrong of responseErrors({ ...checked, slowestMs: drips ? DRIPPED_OUT_MS : SLOWEST_MS }))
        this.complaints.add(
          `${request.name}: ${wrong}`,
          `${name}: ${shown} (${request.then}) → ${shownResponse(response, secrets)}`,
        );
    }
  }

  private count(response: HttpResponse | NoResponse | undefined, drips = false): void {
    this.sent++;
    const status = response === undefined || !isResponse(response) ? 'no answer' : String(response.status);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (response && isResponse(response) && !drips) this.times.push(response.ms);
  }
}

const shownWhole = ({ request }: FuzzCase): string =>
  `${request.path} ${request.headers.flat().join(' ')} ${request.body?.toString('utf8') ?? ''}`;

function shownResponse(response: HttpResponse | NoResponse, secrets: readonly string[]): string {
  const shown = isResponse(response)
    ? `${response.status} ${response.text.slice(0, 500)}`
    : `nothing (${response.why})`;
  return secrets.reduce((text, key) => text.replaceAll(key, '<key>'), shown);
}
