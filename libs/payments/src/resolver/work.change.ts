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

/** An outcome of which its caller was told that nobody knows it. */
export function interrupted(subject: WorkSubject, dueAt: number, since: number): WorkChange {
  return {
    kind: 'Put',
    work: {
      id: workId('Outcome', subject),
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

export function over(kind: WorkKind, subject: WorkSubject): WorkChange {
  return { kind: 'Remove', id: workId(kind, subject) };
}

export const workId = (kind: WorkKind, subject: WorkSubject): string => `${kind}:${subject}`;
