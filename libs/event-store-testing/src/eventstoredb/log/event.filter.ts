import type { EventLog } from './event.log.js';
import type { ReadReq } from '../grpc.definitions.js';

/** The filter of a read or subscription. */
export type Matches = (record: number) => boolean;

export interface EventFilter {
  readonly matches: Matches;
  /** Records scanned between two checkpoints. */
  readonly checkpointEvery: number;
}

/** The scan window of a real server, if the client sets none. */
const DEFAULT_WINDOW = 32;

export function eventFilter(options: ReadReq.Options.FilterOptions, log: EventLog): EventFilter {
  const onStream = options.getStreamIdentifier();
  const matchesText = textMatcher(onStream ?? options.getEventType());
  const textOf = onStream === undefined ? log.type.bind(log) : log.streamName.bind(log);
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  return {
    matches: (record) => matchesText(textOf(record)),
    checkpointEvery: Math.max(1, window * options.getCheckpointintervalmultiplier()),
  };
}

function textMatcher(
  expression: ReadReq.Options.FilterOptions.Expression | undefined,
): (text: string) => boolean {
  const regex = expression?.getRegex() ?? '';
  if (regex !== '') {
    const compiled = new RegExp(regex, 'u');
    return (text) => compiled.test(text);
  }
  const prefixes = expression?.getPrefixList() ?? [];
  return (text) => prefixes.some((prefix) => text.startsWith(prefix));
}
