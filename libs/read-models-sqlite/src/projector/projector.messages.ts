import type { ProjectionName, RebuildProgress, RebuildResult } from '@tillstream/read-models';
import type { WorkerStart } from '@tillstream/runtime';

export interface ProjectorData {
  readonly directory: string;
  readonly store: unknown;
  readonly source: string;
  readonly pageSize: number;
}

export type ProjectorRequest =
  | { readonly kind: 'rebuild'; readonly id: number; readonly projection: ProjectionName }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'stop' };

export type ProjectorReply =
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'failed';
      readonly event: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: RebuildProgress }
  | { readonly kind: 'rebuilt'; readonly id: number; readonly result: RebuildResult }
  | { readonly kind: 'not-rebuilt'; readonly id: number; readonly refused: boolean; readonly reason: string };

export type ProjectorMessage = ProjectorReply | WorkerStart<never>;
