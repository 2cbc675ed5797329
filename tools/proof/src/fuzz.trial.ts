import { pathCase, queryCase } from './fuzz.addresses.js';
import { bodyCase, textCase } from './fuzz.bodies.js';
import { brokenRequest, slowRequest } from './fuzz.broken.js';
import { headerCase, keyCase } from './fuzz.callers.js';
import { Chance } from './fuzz.chance.js';
import { FuzzComplaints } from './fuzz.complaints.js';
import { foreignCase } from './fuzz.foreign.js';
import { differs, wrongIn } from './fuzz.judge.js';
import type { FuzzOperation } from './fuzz.operations.js';
import {
  isAnswer,
  shownBytes,
  shownRequest,
  type FuzzCase,
  type Heard,
  type RawRequest,
  type Silence,
} from './fuzz.request.js';
import { CARD_NUMBERS } from './fuzz.values.js';
import type { FuzzWire } from './fuzz.wire.js';
import type { FuzzWorld } from './fuzz.world.js';
import { inLanes } from './lanes.js';

const LANES = 20;
const SLOWEST_MS = 10_000;
/** How long to listen for the end of a request that drips on: Node's own limits are 15 s and 60 s, looked at twice a minute. */
const DRIPPED_OUT_MS = 110_000;

/** Sends cases, judges the answers, and counts. */
export class FuzzTrial {
  readonly complaints = new FuzzComplaints();
  readonly statuses = new Map<string, number>();
  private readonly times: number[] = [];
  private sent = 0;

  constructor(
    private readonly wire: FuzzWire,
    private readonly world: FuzzWorld,
    private readonly operations: readonly FuzzOperation[],
    private readonly seed: number,
  ) {}

  get requests(): number {
    return this.sent;
  }

  /** Of the answers so far, ms. */
  quantile(part: number): number {
    const sorted = [...this.times].sort((one, two) => one - two);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  }

  /** Requests from one number to another; none of them may write anything. */
  async refused(from: number, to: number): Promise<void> {
    await this.all(from, to, (chance, index) => {
      if (chance.is(0.07))
        return this.tryRaw(brokenRequest(this.world, chance), `seed ${this.seed}, case ${index}`);
      return this.tryCase(this.refusedCase(chance), `seed ${this.seed}, case ${index}`);
    });
  }

  /** Ones that may be right: they write, and must not be answered with an error of the service. */
  async taken(from: number, to: number): Promise<void> {
    await this.all(from, to, (chance, index) =>
      this.tryCase(
        bodyCase(this.operations, this.world, chance, 'Taken'),
        `seed ${this.seed}, case ${index}`,
      ),
    );
  }

  async slow(count: number, neverEnds: boolean): Promise<void> {
    const requests = Array.from({ length: count }, (_, index) => slowRequest(this.world, neverEnds, index));
    const waitMs = neverEnds ? DRIPPED_OUT_MS : undefined;
    await inLanes(requests, count, (one) => this.tryRaw(one, one.name, waitMs));
  }

  private async all(
    from: number,
    to: number,
    work: (chance: Chance, index: number) => Promise<void>,
  ): Promise<void> {
    const indexes = Array.from({ length: to - from }, (_, index) => from + index);
    await inLanes(indexes, LANES, (index) => work(Chance.of(this.seed, index), index));
  }

  private refusedCase(chance: Chance): FuzzCase {
    const { operations, world } = this;
    const kind = chance.next();
    if (kind < 0.45) return bodyCase(operations, world, chance, 'Refused');
    if (kind < 0.6) return queryCase(operations, world, chance);
    if (kind < 0.68) return textCase(operations, world, chance);
    if (kind < 0.78) return pathCase(operations, world, chance);
    if (kind < 0.84) return keyCase(world, chance);
    if (kind < 0.91) return headerCase(operations, world, chance);
    return foreignCase(world, chance);
  }

  private async tryCase(one: FuzzCase, name: string): Promise<void> {
    const { family, expected, request, twin, same = [] } = one;
    const heard = await this.wire.send(request);
    this.count(heard);
    const { secrets, canaries } = this.world;
    // By operators the other merchant may be seen; what was sent may be told again, but for keys. Digits
    // of a card are refused without a word of them; taken as a text that is the merchant's own, they are told again.
    const theirs = request.path.startsWith('/admin')
      ? []
      : canaries.filter((text) => !shownWhole(one).includes(text));
    const cards = isAnswer(heard) && heard.status === 200 ? [] : CARD_NUMBERS;
    const hidden = [...secrets, ...cards, ...theirs];
    const { method, path } = request;
    const example = `${name}: ${shownRequest(request, secrets)} → ${shownAnswer(heard, secrets)}`;
    for (const wrong of wrongIn({ method, path, expected, heard, hidden, slowestMs: SLOWEST_MS }))
      this.complaints.add(`${family}: ${wrong}`, example);
    if (!twin) return;
    const unknown = await this.wire.send(twin);
    this.count(unknown);
    if (differs(heard, unknown, same))
      this.complaints.add(
        `${family}: answered otherwise than an id that nobody has`,
        `${example}; else ${shownAnswer(unknown, secrets)}`,
      );
  }

  private async tryRaw(request: RawRequest, name: string, waitMs?: number): Promise<void> {
    const answers = await this.wire.sendRaw(request, waitMs);
    const { secrets } = this.world;
    const drips = waitMs !== undefined;
    if (answers.length === 0) this.count(undefined, drips);
    if (drips && answers.length === 0) this.complaints.add(`${request.name}: never ended`, name);
    for (const heard of answers) {
      this.count(heard, drips);
      const hidden = [...secrets, ...this.world.canaries];
      const judged = { method: 'GET', path: '/v1', expected: request.expected, heard, hidden };
      const shown = secrets.reduce((text, key) => text.replaceAll(key, '<key>'), shownBytes(request.bytes));
      for (const wrong of wrongIn({ ...judged, slowestMs: drips ? DRIPPED_OUT_MS : SLOWEST_MS }))
        this.complaints.add(
          `${request.name}: ${wrong}`,
          `${name}: ${shown} (${request.then}) → ${shownAnswer(heard, secrets)}`,
        );
    }
  }

  private count(heard: Heard | Silence | undefined, drips = false): void {
    this.sent++;
    const status = heard === undefined || !isAnswer(heard) ? 'no answer' : String(heard.status);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (heard && isAnswer(heard) && !drips) this.times.push(heard.ms);
  }
}

const shownWhole = ({ request }: FuzzCase): string =>
  `${request.path} ${request.headers.flat().join(' ')} ${request.body?.toString('utf8') ?? ''}`;

function shownAnswer(heard: Heard | Silence, secrets: readonly string[]): string {
  const shown = isAnswer(heard) ? `${heard.status} ${heard.text.slice(0, 500)}` : `nothing (${heard.why})`;
  return secrets.reduce((text, key) => text.replaceAll(key, '<key>'), shown);
}
