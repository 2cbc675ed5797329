import { streamOfOperation } from '@tillstream/domain';
import { approvedIn, ask, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine } from './examination.js';
import { Histories } from './histories.js';
import { pick, upTo } from './lanes.js';
import { makeOriginal } from './originals.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { judge } from './races.judge.js';
import { startPair } from './service.pair.js';
import { factsOf, newSite, terminalsOf } from './site.js';

const RACERS = 20;
const TOTAL = 10_000;
const RESOLVED_WITHIN_MS = 60_000;

/** The originals that a round's requests name. */
interface Arena {
  readonly stream: string;
  readonly targets: readonly [Target, ...Target[]];
}

interface Target {
  readonly id: string;
  readonly kinds: readonly [FollowUpKind, ...FollowUpKind[]];
}
type FollowUpKind = 'Capture' | 'Refund' | 'Void';

export const races: Proof = {
  name: 'races',
  claim: 'captures, voids and refunds racing on one payment never take more than there is (rounds: payments)',
  async run(options: ProofOptions): Promise<Findings> {
    const rounds = roundsOf(options, 100, 4);
    const site = newSite({ terminals: 2 });
    const { processes, stop } = await startPair(site);
    const histories = await Histories.open(site);
    const asked: Asked[] = [];
    const complaints: string[] = [];
    const came = new Map<string, number>();
    try {
      const origins = processes.map(({ origin }) => origin);
      const client = new Client(origins, factsOf(site).apiKey);
      const [terminal] = terminalsOf(site);
      for (let round = 0; round < rounds; round++) {
        const arena = await setUp(round, client, terminal, asked);
        const racers = Array.from({ length: RACERS }, () => racer(arena));
        asked.push(...racers);
        await Promise.all(racers.map((one, n) => client.send(one, origins[n % origins.length])));
        const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
        complaints.push(...open.map((id) => `${id} is still open`));
        const history = histories.all().find(({ stream }) => stream === arena.stream);
        for (const one of racers) {
          const [heard] = one.heard;
          const judged =
            heard && history ? judge(one, heard, history) : { came: 'nothing', complaint: one.key };
          came.set(judged.came, (came.get(judged.came) ?? 0) + 1);
          if (judged.complaint !== undefined) complaints.push(judged.complaint);
        }
        if ((round + 1) % 20 === 0)
          options.say(`${round + 1} of ${rounds} rounds, ${complaints.length} complaints`);
      }
    } finally {
      await histories.close();
      await stop();
    }
    const { complaints: wrong, ...figures } = await examine(site, asked);
    site.remove();
    return {
      complaints: [...complaints, ...wrong],
      figures: { rounds, ...Object.fromEntries([...came].sort()), ...figures },
    };
  },
};

/** An authorization with one capture, or a sale. */
async function setUp(
  round: number,
  client: Client,
  terminal: string | undefined,
  asked: Asked[],
): Promise<Arena> {
  if (round % 2 === 1) {
    const { id } = await makeOriginal(client, 'Sale', TOTAL, terminal, asked);
    return {
      stream: streamOfOperation(id) ?? '',
      targets: [{ id, kinds: ['Refund', 'Void', 'Refund', 'Capture'] }],
    };
  }
  const { id } = await makeOriginal(client, 'Auth', TOTAL, terminal, asked);
  const capture = ask('Capture', { originalTransactionId: id, amount: 1 + upTo(TOTAL / 2) });
  asked.push(capture);
  await client.insist(capture, RESOLVED_WITHIN_MS);
  const captured = approvedIn(capture);
  return {
    stream: streamOfOperation(id) ?? '',
    targets: [
      { id, kinds: ['Capture', 'Void', 'Capture', 'Refund'] },
      ...(captured ? [{ id: captured.id, kinds: ['Refund', 'Void'] } as const] : []),
    ],
  };
}

/** Small parts, parts that can't all fit, and all of it. */
function racer({ targets }: Arena): Asked {
  const { id, kinds } = pick(targets);
  const amount = pick([upTo(TOTAL / 10), upTo(TOTAL), TOTAL, undefined]);
  return ask(pick(kinds), { originalTransactionId: id, ...(amount !== undefined && { amount }) });
}
