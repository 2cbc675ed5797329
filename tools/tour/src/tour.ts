/** A fenced block of the README's tour with the output that it must have. */
export interface Stop {
  /** Line of the README where the block starts. */
  readonly line: number;
  readonly commands: string;
  /** Texts of its `# → …` comments, which must be in its output in this order. */
  readonly expected: readonly string[];
}

const BEGIN = '<!-- tour -->';
const END = '<!-- /tour -->';
const BLOCK = /^```sh\n(.*?)\n```$/gms;
const EXPECTED = /^# → (.+)$/gm;

/** Returns the ```sh blocks between the two marks. */
export function stopsOf(readme: string): Stop[] {
  const lines = readme.split('\n');
  const from = lines.indexOf(BEGIN);
  const to = lines.indexOf(END);
  if (from < 0 || to < from) throw new Error(`the README has no tour between ${BEGIN} and ${END}`);
  const tour = lines.slice(from, to).join('\n');
  return [...tour.matchAll(BLOCK)].map(({ index, 1: commands = '' }) => ({
    line: from + tour.slice(0, index).split('\n').length + 1,
    commands,
    expected: [...commands.matchAll(EXPECTED)].map(([, text = '']) => text),
  }));
}

/** Joins all blocks for one shell session: later ones use variables of earlier ones. */
export function script(stops: readonly Stop[], separator: string): string {
  return stops.map(({ commands }) => `${commands}\nprintf '\\n%s\\n' '${separator}'\n`).join('');
}

/** Returns the first expected text that is missing from the output; undefined if all are there in order. */
export function missingFrom(output: string, expected: readonly string[]): string | undefined {
  let from = 0;
  for (const text of expected) {
    const found = output.indexOf(text, from);
    if (found < 0) return text;
    from = found + text.length;
  }
  return undefined;
}
