import type { WorkItem, WorkItemChange, WorkKind, WorkSubject } from './work-queue.port.js';

export function putWorkItem(item: Omit<WorkItem, 'id' | 'step' | 'merchantId'>): WorkItemChange {
  return { kind: 'Put', work: { id: workItemId(item.kind, item.subject), step: 0, ...item } };
}

export function removeWorkItem(kind: WorkKind, subject: WorkSubject): WorkItemChange {
  return { kind: 'Remove', id: workItemId(kind, subject) };
}

export const workItemId = (kind: WorkKind, subject: WorkSubject): string => `${kind}:${subject}`;
