import type { Operation, Token } from '@tillstream/domain';
import type { Deployment } from '../support/deployment.js';
import { readLedger } from '../audit/deployment.audit.js';
import { withHistories, type Histories } from '../audit/histories.js';
import { movementErrors } from '../audit/movements.check.js';
import { netAmountErrors } from '../audit/net-amounts.check.js';
import type { AuditReport } from '../audit/deployment.audit.js';
import { hasCard, vaultFiles } from '../audit/vault.bytes.js';
import { attemptErrors } from '../audit/attempts.check.js';
import { isApproved, progressIn, WRONG_CODE, type OpenForm } from './form.client.js';

/** Compares forms, events and the acquirer's ledger. Call it when all processes have ended. */
export function auditForms(deployment: Deployment, forms: readonly OpenForm[]): Promise<AuditReport> {
  return withHistories(deployment, (histories) => {
    const { movements, nets } = readLedger(deployment);
    const evidence = { histories: histories.all(), movements, nets, requests: [] };
    return {
      complaints: [
        ...histories.damage,
        ...histories.open().map((id) => `${id} has no outcome`),
        ...movementErrors(evidence),
        ...netAmountErrors(evidence),
        ...forms.flatMap((form) => formErrors(form, histories)),
        ...attemptErrors(histories.all()),
        ...cardsLeft(deployment, histories),
      ],
      figures: {
        forms: forms.length,
        challenges: challengeCount(histories),
        events: histories.events,
        movements: movements.length,
      },
    };
  });
}

/** Money moved at most once, and each answer agrees with the history. */
function formErrors(
  { transactionId, kind, amount, answers, code }: OpenForm,
  histories: Histories,
): string[] {
  if (kind === 'TokenCreate') {
    const token = histories.tokens().find(({ operations }) => operations[0]?.id === transactionId);
    return answerErrors(transactionId, answers, token !== undefined && isStored(token));
  }
  const operation = histories.paymentOperations().find(({ id }) => id === transactionId);
  if (!operation) return [`${transactionId} was answered, and is in no history`];
  const isPaid = operation.progress.status === 'Approved';
  const moved = isPaid ? paidAmount(operation) : 0;
  return [
    ...(isPaid && moved !== amount ? [`${transactionId} moved ${moved} instead of ${amount}`] : []),
    ...(isPaid && code === WRONG_CODE ? [`${transactionId} was approved after a wrong code`] : []),
    ...answerErrors(transactionId, answers, isPaid),
  ];
}

/** "Approved" is true and stays true; "Rejected" promises that nothing happened. */
function answerErrors(id: string, answers: OpenForm['answers'], succeeded: boolean): string[] {
  return answers.flatMap((answer) => {
    if (isApproved(progressIn(answer)) && !succeeded) return [`${id} was answered as approved, and is not`];
    const isServerError = answer.status >= 500;
    const rejected = isServerError && (JSON.parse(answer.text) as { status?: string }).status === 'Rejected';
    return rejected && succeeded ? [`${id} was answered as rejected, and was approved`] : [];
  });
}

const isStored = ({ status }: Token): boolean => status === 'Active' || status === 'Removed';

function paidAmount({ progress }: Operation): number {
  return progress.status === 'Approved' ? progress.amount : 0;
}

/** The vault keeps the card of an attempt only while its challenge is open. */
function cardsLeft({ dataDir }: Deployment, histories: Histories): string[] {
  const ofPayments = histories.paymentOperations();
  const ofTokens = histories
    .tokens()
    .flatMap(({ id, operations }) => operations.map(({ attempt }) => ({ id, attempt })));
  const files = vaultFiles(dataDir);
  return [...ofPayments, ...ofTokens].flatMap(({ id, attempt }) =>
    Array.from({ length: attempt?.number ?? 0 }, (_, nth) => `${id}.${nth + 1}`)
      .filter((subject) => hasCard(files, subject))
      .map((subject) => `the vault still has the card of ${subject}`),
  );
}

function challengeCount(histories: Histories): number {
  const events = histories.all().flatMap((history) => history.events);
  return events.filter(({ type }) => type === 'ChallengeOpened').length;
}
