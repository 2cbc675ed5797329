/** A violated rule, with what a developer needs to correct it. */
export interface Violation {
  readonly rule: Rule;
  /** A file with its line, or a package's folder. */
  readonly where: string;
  readonly message: string;
}

export type Rule =
  | 'unknown-library'
  | 'tags'
  | 'types-only'
  | 'third-party'
  | 'driver'
  | 'test-code'
  | 'deep-path'
  | 'leaves-package'
  | 'undeclared'
  | 'unreadable-import'
  | 'cycle'
  | 'build-reference'
  | 'pure'
  | 'too-long'
  | 'focused-test'
  | 'unfinished'
  | 'silenced-compiler';

export function violationText({ rule, where, message }: Violation): string {
  return `${where}: ${message} [${rule}]`;
}
