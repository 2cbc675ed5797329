import { pathCase, queryCase } from './address.cases.js';
import { bodyCase, textCase } from './body.cases.js';
import { brokenRequest, slowRequest } from './broken.requests.js';
import { headerCase, keyCase } from './header.cases.js';
import { RandomGenerator } from './random.generator.js';
import { foreignCase } from './foreign-id.cases.js';
import { differs, responseErrors, type CheckResult } from './response.checker.js';
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
const KINDS_MAX = 200;
const SLOWEST_MS = 10_000;
/** Wait for the end of an endless request. Node's own limits are 15 s and 60 s, checked every 30 s. */
const DRIPPED_OUT_MS = 110_000;

/** Sends cases, checks the responses and counts them. */
export class FuzzTrial {
  readonly complaints = new ComplaintList();
  readonly statuses = new Map<string, number>();
  requests = 0;
  private readonly times: number[] = [];

  constructor(
    private readonly sender: HttpSender,
    private readonly fixture: FuzzFixture,
    private readonly operations: readonly FuzzOperation[],
    private readonly seed: number,
  ) {}

  /** Response time, ms. */
  quantile(part: number): number {
    const sorted = [...this.times].sort((one, two) => one - two);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  }

  /** Sends the cases with these numbers; none of them may write. */
  async refused(from: number, to: number): Promise<void> {
    await this.all(from, to, (random, name) =>
      random.is(0.07)
        ? this.tryRaw(brokenRequest(this.fixture, random), name)
        : this.tryCase(this.refusedCase(random), name),
    );
  }

  /** Sends cases that may be valid and write; none may be answered with a 5xx. */
  async taken(from: number, to: number): Promise<void> {
    const { operations, fixture } = this;
    await this.all(from, to, (random, name) =>
      this.tryCase(bodyCase({ operations, fixture, random }, 'Taken'), name),
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
    work: (random: RandomGenerator, name: string) => Promise<void>,
  ): Promise<void> {
    const indexes = Array.from({ length: to - from }, (_, index) => from + index);
    await inParallel(indexes, CONCURRENCY, (index) =>
      work(RandomGenerator.of(this.seed, index), `seed ${this.seed}, case ${index}`),
    );
  }

  private refusedCase(random: RandomGenerator): FuzzCase {
    const { operations, fixture } = this;
    const source = { operations, fixture, random };
    const kind = random.next();
    if (kind < 0.45) return bodyCase(source, 'Refused');
    if (kind < 0.6) return queryCase(source);
    if (kind < 0.68) return textCase(source);
    if (kind < 0.78) return pathCase(source);
    if (kind < 0.84) return keyCase(source);
    if (kind < 0.91) return headerCase(source);
    return foreignCase(source);
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
    const cards = response.status === 200 ? [] : CARD_NUMBERS;
    const hidden = [...secrets, ...cards, ...theirs];
    const { method, path } = request;
    const example = `${name}: ${shownRequest(request)} → ${shownResponse(response)}`;
    const acceptsCsv = request.headers.some(([header, value]) => header === 'accept' && value === 'text/csv');
    this.check(family, example, {
      method,
      path,
      expected,
      response,
      hidden,
      slowestMs: SLOWEST_MS,
      acceptsCsv,
    });
    if (!twin) return;
    const unknown = await this.sender.send(twin);
    this.count(unknown);
    if (differs(response, unknown, same))
      this.complain(
        `${family}: answered otherwise than an id that does not exist`,
        `${example}; else ${shownResponse(unknown)}`,
      );
  }

  private async tryRaw(request: RawRequest, name: string, waitMs?: number): Promise<void> {
    const answers = await this.sender.sendRaw(request, waitMs);
    const drips = waitMs !== undefined;
    if (answers.length === 0) {
      this.count(undefined);
      if (drips) this.complain(`${request.name}: never ended`, name);
    }
    const { expected, bytes, then } = request;
    const hidden = [...this.fixture.secrets, ...this.fixture.canaries];
    const slowestMs = drips ? DRIPPED_OUT_MS : SLOWEST_MS;
    for (const response of answers) {
      this.count(response, drips);
      const example = `${name}: ${shownBytes(bytes)} (${then}) → ${shownResponse(response)}`;
      const checked = { method: 'GET', path: '/v1', expected, response, hidden, slowestMs };
      this.check(request.name, example, checked);
    }
  }

  private check(kind: string, example: string, checked: CheckResult): void {
    for (const wrong of responseErrors(checked)) this.complain(`${kind}: ${wrong}`, example);
  }

  private complain(kind: string, example: string): void {
    const hide = (text: string, secret: string, index: number): string =>
      text.replaceAll(secret, `<key ${index}>`);
    this.complaints.add(kind, this.fixture.secrets.reduce(hide, example));
  }

  private count(response: HttpResponse | NoResponse | undefined, drips = false): void {
    this.requests++;
    const isComplete = response !== undefined && isResponse(response);
    const status = isComplete ? String(response.status) : 'no answer';
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (isComplete && !drips) this.times.push(response.ms);
  }
}

const shownWhole = ({ request }: FuzzCase): string =>
  `${request.path} ${request.headers.flat().join(' ')} ${request.body?.toString('utf8') ?? ''}`;

const shownResponse = (response: HttpResponse | NoResponse): string =>
  isResponse(response) ? `${response.status} ${response.text.slice(0, 500)}` : `nothing (${response.why})`;

interface Kind {
  readonly example: string;
  readonly count: number;
}

/** Complaints by kind, each with its shortest example and its count. */
export class ComplaintList {
  private readonly kinds = new Map<string, Kind>();

  /** `kind` is equal for the same fault at the same place; `example` is enough to send the request again. */
  add(kind: string, example: string): void {
    const known = this.kinds.get(kind);
    if (!known && this.kinds.size >= KINDS_MAX) return;
    const shorter = !known || example.length < known.example.length ? example : known.example;
    this.kinds.set(kind, { example: shorter, count: (known?.count ?? 0) + 1 });
  }

  /** The most frequent kind first. */
  get texts(): readonly string[] {
    return [...this.kinds]
      .sort(([, one], [, two]) => two.count - one.count)
      .map(([kind, { example, count }]) => `${kind} (${count} times), as in\n      ${example}`);
  }
}
