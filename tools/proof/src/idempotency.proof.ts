import { ask, namedOperation, saidError, type Asked } from './asked.js';
import { Client } from './client.js';
import { examine } from './examination.js';
import { Histories } from './histories.js';
import { upTo } from './lanes.js';
import { makeOriginal } from './originals.js';
import { roundsOf, type Findings, type Proof, type ProofOptions } from './proof.js';
import { startPair } from './service.pair.js';
import { factsOf, newSite, terminalsOf } from './site.js';

const AT_ONCE = 20;
const RESOLVED_WITHIN_MS = 60_000;

export const idempotency: Proof = {
  name: 'idempotency',
  claim: 'twenty equal requests at once on two processes are one operation and one answer (rounds: keys)',
  async run(options: ProofOptions): Promise<Findings> {
    const keys = roundsOf(options, 100, 8);
    const site = newSite({ terminals: 2 });
    const { processes, stop } = await startPair(site);
    const asked: Asked[] = [];
    const complaints: string[] = [];
    const totals = { requests: 0, answered: 0, replayed: 0, running: 0 };
    try {
      const origins = processes.map(({ origin }) => origin);
      const client = new Client(origins, factsOf(site).apiKey);
      const [terminal] = terminalsOf(site);
      for (let key = 0; key < keys; key++) {
        const one = await contested(client, key, terminal, asked);
        asked.push(one);
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_, n) => client.send(one, origins[n % origins.length])),
        );
        complaints.push(...wrongAtOnce(one));
        totals.requests += AT_ONCE;
        totals.running += one.heard.filter(({ status }) => status === 409).length;
        complaints.push(...(await repeated(client, origins, one)));
        totals.replayed += one.heard.filter(({ replayed }) => replayed).length;
        totals.answered += one.heard.filter(({ status }) => status === 200).length;
        if ((key + 1) % 25 === 0) options.say(`${key + 1} of ${keys} keys, ${complaints.length} complaints`);
      }
      const histories = await Histories.open(site);
      const open = await histories.untilNoneIsOpen(RESOLVED_WITHIN_MS);
      await histories.close();
      complaints.push(...open.map((id) => `${id} is still open`));
    } finally {
      await stop();
    }
    const { complaints: wrong, ...figures } = await examine(site, asked);
    site.remove();
    return { complaints: [...complaints, ...wrong], figures: { keys, ...totals, ...figures } };
  },
};

/** Sales, authorizations, captures and refunds in turn. */
async function contested(
  client: Client,
  key: number,
  terminal: string | undefined,
  asked: Asked[],
): Promise<Asked> {
  const amount = 100 + upTo(90_000);
  const at = terminal === undefined ? {} : { paymentMethodId: terminal };
  switch (key % 4) {
    case 0:
      return ask('Sale', { amount, ...at });
    case 1:
      return ask('Auth', { amount, ...at });
    case 2: {
      const { id } = await makeOriginal(client, 'Auth', amount, terminal, asked);
      return ask('Capture', { originalTransactionId: id });
    }
    default: {
      const { id } = await makeOriginal(client, 'Sale', amount, terminal, asked);
      return ask('Refund', { originalTransactionId: id, amount: upTo(amount) });
    }
  }
}

function wrongAtOnce({ key, heard }: Asked): string[] {
  const complaints: string[] = [];
  if (heard.length !== AT_ONCE) complaints.push(`${key}: ${AT_ONCE - heard.length} of ${AT_ONCE} unanswered`);
  for (const one of heard) {
    const fits =
      one.status === 200 ||
      (one.status === 409 && saidError(one)?.code === 3401) ||
      (one.status === 500 && namedOperation(one) !== undefined);
    if (!fits) complaints.push(`${key}: answered ${one.status} ${one.text}`);
  }
  return complaints;
}

/** After the end every process gives the same bytes; `audit` compares them with all that was said before. */
async function repeated(client: Client, origins: readonly string[], one: Asked): Promise<string[]> {
  const complaints: string[] = [];
  for (const origin of origins) {
    const heard = await client.send(one, origin);
    if (!heard || heard.status === 409)
      complaints.push(`${one.key}: a repeat gives ${heard?.status ?? 'nothing'}`);
    else if (!heard.replayed) complaints.push(`${one.key}: a repeat is not marked as one`);
  }
  return complaints;
}
