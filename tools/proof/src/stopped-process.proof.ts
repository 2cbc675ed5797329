import type { Operation } from '@tillstream/domain';
import { approvedIn, ask, isDefinite, saidError, saidTransaction, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine, readLedger, together, type Examined } from './examination.js';
import { Histories } from './histories.js';
import { inLanes, upTo } from './lanes.js';
import { makeOriginal } from './originals.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { ServiceProcess } from './service.process.js';
import { factsOf, freePort, newSite, SHORT_LATE_CHECKS, terminalsOf, type Site } from './site.js';

const KINDS = ['Sale', 'Capture', 'Refund'] as const;
type Kind = (typeof KINDS)[number];
/** Between the request's commit and its sending. */
const POINTS = ['after-request', 'before-send'] as const;
const HALTS_WITHIN_MS = 30_000;
const RESOLVED_WITHIN_MS = 90_000;
const HOLDS_LOCK = 'HeldTheLock';

interface Outcome extends Examined {
  readonly name: Kind;
  /** What had become of the operation when the stopped process went on, and how often. */
  readonly endings: ReadonlyMap<string, number>;
}

export const stoppedProcess: Proof = {
  name: 'stopped-process',
  claim: 'a process that stood still before sending and wakes up charges nobody silently (rounds: per kind)',
  async run(options: ProofOptions): Promise<Findings> {
    const rounds = roundsOf(options, 10, 1);
    const outcomes = await inLanes(KINDS, KINDS.length, (kind) => standStill(kind, rounds, options));
    const { complaints, ...figures } = together(outcomes);
    const endings = outcomes.flatMap(({ name, endings: of }) =>
      [...of].map(([how, n]) => [`${name} ${how}`, n]),
    );
    return {
      complaints,
      figures: { rounds: rounds * KINDS.length, ...Object.fromEntries(endings), ...figures },
    };
  },
};

async function standStill(kind: Kind, rounds: number, { say }: ProofOptions): Promise<Outcome> {
  const site = newSite({ terminals: 2, environment: SHORT_LATE_CHECKS });
  const asked: Asked[] = [];
  const complaints: string[] = [];
  const endings = new Map<string, number>();
  try {
    for (let round = 0; round < rounds; round++) {
      // Another beginning for each kind: a single round of each sees every point and every order.
      const { ending, complaints: found } = await standOnce(site, kind, KINDS.indexOf(kind) + round, asked);
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
      complaints.push(...found);
      say(`${kind} ${round + 1} of ${rounds}: ${ending}, ${found.length} complaints`);
    }
    const examined = await examine(site, asked);
    return { ...examined, name: kind, endings, complaints: [...complaints, ...examined.complaints] };
  } finally {
    site.remove();
  }
}

async function standOnce(
  site: Site,
  kind: Kind,
  round: number,
  asked: Asked[],
): Promise<{ readonly ending: string; readonly complaints: readonly string[] }> {
  const crashPoint = `${POINTS[round % 2] ?? POINTS[0]}:1:stop`;
  const [halts, stays] = await bothOf(site, crashPoint, round % 4 < 2);
  const histories = await Histories.open(site);
  try {
    const { apiKey } = factsOf(site);
    const one = await request(new Client([stays.origin], apiKey), site, kind, asked);
    asked.push(one);
    const answer = new Client([halts.origin], apiKey).send(one, halts.origin, 120_000);
    if (!(await halts.haltedWithin(HALTS_WITHIN_MS)))
      return failed(`it did not stand still: ${halts.logged}`);

    const before = await endedBy(stays, histories, one);
    if (before === undefined) return failed(`${one.key} has no outcome: ${stays.logged}`);
    const complaints = before === HOLDS_LOCK ? await refusedMeanwhile(stays, site, asked) : [];
    halts.signal('SIGCONT');
    const heard = await answer;
    if (!heard) return failed(`${one.key}: the process that stood still never answered`);
    for (const origin of [stays.origin, halts.origin]) {
      const repeat = await new Client([origin], apiKey).insist(one, RESOLVED_WITHIN_MS);
      if (!repeat || !isDefinite(repeat)) complaints.push(`${one.key}: no repeat of its answer`);
    }
    const left = await histories.untilNoWorkIsLeft(RESOLVED_WITHIN_MS);
    complaints.push(...left.map((what) => `${what} is left over`));
    const operation = operationOf(histories, one);
    const id = operation?.id ?? 'never written';
    const charges = readLedger(site).movements.filter(({ key }) => key.startsWith(`${id}.`)).length;
    const told = saidTransaction(heard)?.transactionResponses[0]?.responseCode ?? heard.status;
    // Told "unknown" and found out later is not silent: what counts is that history and ledger say the same.
    const isApproved = operation?.progress.status === 'Approved';
    if (charges !== (isApproved ? 1 : 0) || (approvedIn(one) && !isApproved))
      complaints.push(`${id}: ${charges} movements, told ${told}, ${operation?.progress.status}`);
    return { ending: `${before}, answered ${told}`, complaints };
  } finally {
    halts.signal('SIGCONT');
    await Promise.all([histories.close(), halts.stop(), stays.stop()]);
  }
}

const failed = (complaint: string) => ({ ending: 'not tried', complaints: [complaint] });

/** Whichever is first resolves for both: it may be the one that will stand still. */
async function bothOf(
  site: Site,
  crashPoint: string,
  haltsFirst: boolean,
): Promise<[ServiceProcess, ServiceProcess]> {
  const halting = { port: await freePort(), crashPoint };
  const staying = { port: await freePort() };
  if (haltsFirst) {
    const halts = await ServiceProcess.start(site, halting);
    return [halts, await ServiceProcess.start(site, staying)];
  }
  const stays = await ServiceProcess.start(site, staying);
  return [await ServiceProcess.start(site, halting), stays];
}

async function request(client: Client, site: Site, kind: Kind, asked: Asked[]): Promise<Asked> {
  const [terminal, other] = terminalsOf(site);
  const amount = 1_000 + upTo(90_000);
  if (kind === 'Sale') return ask('Sale', { amount, ...(other !== undefined && { paymentMethodId: other }) });
  const original = await makeOriginal(client, kind === 'Capture' ? 'Auth' : 'Sale', amount, terminal, asked);
  return ask(kind, { originalTransactionId: original.id, amount: upTo(amount) });
}

/**
 * How the other process ended it, or that it can't: one that stands still in the middle of a commit keeps the lock on
 * the file, and nobody on this machine can write until it goes on or dies. Undefined: not in time.
 */
async function endedBy(stays: ServiceProcess, histories: Histories, one: Asked): Promise<string | undefined> {
  const until = performance.now() + RESOLVED_WITHIN_MS;
  for (let lockedTwice = 0; performance.now() < until;) {
    const open = await histories.untilNoneIsOpen(2_000);
    const operation = operationOf(histories, one);
    if (operation && open.length === 0) return operation.progress.status;
    lockedTwice = (await stays.health()).status === 503 ? lockedTwice + 1 : 0;
    if (lockedTwice === 2) return HOLDS_LOCK;
  }
  return undefined;
}

/** It says so, and refuses: nothing is charged that can't be written. The audit holds that against the ledger. */
async function refusedMeanwhile(stays: ServiceProcess, site: Site, asked: Asked[]): Promise<string[]> {
  const [terminal] = terminalsOf(site);
  const one = ask('Sale', {
    amount: upTo(90_000),
    ...(terminal !== undefined && { paymentMethodId: terminal }),
  });
  asked.push(one);
  const heard = await new Client([stays.origin], factsOf(site).apiKey).send(one);
  const error = heard && saidError(heard);
  const isRefused = heard?.status === 500 && error?.code === 9000 && error.status === 'Rejected';
  return isRefused ? [] : [`a sale on a locked file was answered ${heard?.status} ${heard?.text}`];
}

function operationOf(histories: Histories, { body }: Asked): Operation | undefined {
  return histories
    .all()
    .flatMap(({ state }) => (state.status === 'None' ? [] : state.operations))
    .find(({ referenceId }) => referenceId === body.referenceId);
}
