import { withHistories } from '../audit/histories.js';
import type { NamedReport } from '../audit/deployment.audit.js';
import { startPair } from '../processes/service.process.js';
import type { ApiResponse } from '../support/api.client.js';
import { newDeployment, sandboxFacts } from '../support/deployment.js';
import {
  CHALLENGED,
  FormClient,
  isApproved,
  progressIn,
  RIGHT_CODE,
  type FormKind,
  type OpenForm,
} from './form.client.js';
import { RESOLUTION_TIMEOUT_MS } from './form.trial.js';
import { auditForms } from './forms.check.js';
import { KINDS } from './submission.kills.js';

const AT_ONCE = 6;
const CHALLENGED_KINDS: readonly FormKind[] = ['Sale', 'TokenCreate', 'Auth'];

type Answers = Promise<readonly (ApiResponse | undefined)[]>;

/** One form is submitted, or goes on after its challenge, several times at two processes at once. */
export async function raceForms(rounds: number): Promise<NamedReport> {
  const deployment = newDeployment(1);
  const opened: OpenForm[] = [];
  const complaints: string[] = [];
  const { origins, stop } = await startPair(deployment);
  try {
    const client = new FormClient(sandboxFacts(deployment));
    for (let round = 0; round < rounds; round++) {
      const isChallenged = round % 2 === 1;
      const kinds = isChallenged ? CHALLENGED_KINDS : KINDS;
      const kind = kinds[Math.floor(round / 2) % kinds.length] ?? 'Sale';
      const form = await client.open(origins[0], kind, { enable3DSecure: isChallenged });
      opened.push(form);
      const answers = await (isChallenged
        ? completeAtOnce(client, origins, form)
        : submitAtOnce(client, origins, form));
      const approved = answers.filter((answer) => answer && isApproved(progressIn(answer))).length;
      if (approved === 0) complaints.push(`${form.transactionId} was approved to none of its windows`);
      const shown = await client.transaction(origins[1], form);
      if (shown?.status !== 'Completed')
        complaints.push(`${form.transactionId} is shown as ${shown?.status}`);
    }
    await withHistories(deployment, (histories) => histories.waitUntilResolved(RESOLUTION_TIMEOUT_MS));
  } finally {
    await stop();
  }
  const audited = await auditForms(deployment, opened);
  deployment.remove();
  return {
    name: 'two processes',
    complaints: [...complaints, ...audited.complaints],
    figures: { races: rounds, ...audited.figures },
  };
}

/** With keys of their own, as by several windows. */
function submitAtOnce(client: FormClient, origins: readonly string[], form: OpenForm): Answers {
  return Promise.all(
    Array.from({ length: AT_ONCE }, (_, nth) =>
      client.submit(origins[nth % 2] ?? '', form, nth % 3 === 0 ? {} : { key: `window-${nth % 3}` }),
    ),
  );
}

/** One process opens the challenge, the other one takes the code, and both go on, by the page of the form and by the bank's. */
async function completeAtOnce(client: FormClient, origins: readonly string[], form: OpenForm): Answers {
  const [first = '', second = ''] = origins;
  await client.submit(first, form, { number: CHALLENGED });
  const page = await client.challengeOf(second, form);
  if (page === undefined) return [];
  await client.enterCode(second, form, page, RIGHT_CODE);
  return Promise.all(
    Array.from({ length: AT_ONCE }, (_, nth) => {
      const origin = origins[nth % 2] ?? '';
      return nth < AT_ONCE / 2 ? client.complete(origin, form) : client.completeAtBank(origin, form, page);
    }),
  );
}
