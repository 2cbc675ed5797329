import type { Work, WorkChange, WorkKind, WorkSubject } from '../open-work.port.js';

export function put(
  kind: WorkKind,
  subject: WorkSubject,
  clock: Work['clock'],
  dueAt: number,
  since: number,
): WorkChange {
  return { kind: 'Put', work: { id: workId(kind, subject), kind, subject, clock, dueAt, step: 0, since } };
}

export function over(kind: WorkKind, subject: WorkSubject): WorkChange {
  return { kind: 'Remove', id: workId(kind, subject) };
}

const workId = (kind: WorkKind, subject: WorkSubject): string => `${kind}:${subject}`;
