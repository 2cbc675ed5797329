import type { ToolRun } from '../processes/tool.process.js';

/** The most operations or cards that one check compares. */
export const COMPARED_MAX = 50;

/** What the checks of a drill use of it. */
export interface CheckParts {
  readonly figures: Record<string, number>;
  /** Runs `tillstream` on the drill's stores. */
  tool(...args: readonly string[]): Promise<ToolRun>;
  check(holds: boolean, complaint: string): void;
}
