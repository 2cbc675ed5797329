import type { WorkItem, WorkItemChange, WorkKind, WorkSubject } from './work-queue.port.js';

export function putWorkItem(
  kind: WorkKind,
  subject: WorkSubject,
  clock: WorkItem['clock'],
  dueAt: number,
  since: number,
): WorkItemChange {
  return {
    kind: 'Put',
    work: { id: workItemId(kind, subject), kind, subject, clock, dueAt, step: 0, since },
  };
}

/** An outcome of which its caller was told that nobody knows it. */
export function putInterruptedOutcome(subject: WorkSubject, dueAt: number, since: number): WorkItemChange {
  return {
    kind: 'Put',
    work: {
      id: workItemId('Outcome', subject),
      kind: 'Outcome',
      subject,
      clock: 'Real',
      dueAt,
      step: 0,
      since,
      interrupted: true,
    },
  };
}

export function removeWorkItem(kind: WorkKind, subject: WorkSubject): WorkItemChange {
  return { kind: 'Remove', id: workItemId(kind, subject) };
}

export const workItemId = (kind: WorkKind, subject: WorkSubject): string => `${kind}:${subject}`;
