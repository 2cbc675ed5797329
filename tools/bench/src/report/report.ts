import type { Bench, Figure } from '../bench.types.js';
import type { MachineFacts } from './machine.facts.js';

export interface Section {
  readonly bench: Bench;
  readonly figures: readonly Figure[];
  readonly failure?: string;
}

/** The text of `docs/benchmarks.md`. @param omitted benchmarks that this run left out */
export function markdown(
  machine: MachineFacts,
  sections: readonly Section[],
  omitted: readonly Bench[] = [],
): string {
  const missing = omitted.map(
    ({ name, title }) =>
      `\n${omission(title)} (\`npm run bench -- ${name}\` by itself, with \`--report\` for this page).\n`,
  );
  const facts = machine.map(([name, value]) => `| ${name} | ${cell(value)} |`);
  return `# Benchmarks

Made by \`npm run bench\`; do not edit. What counts are the ratios: both sides of each were measured in turn, round by
round, in one run on one machine. Values are medians of the rounds, in brackets the least and the most of them.

| | |
|---|---|
${facts.join('\n')}
${missing.join('')}
${sections.map(sectionText).join('\n\n')}
`;
}

/** The page with the sections of a later run in place of its own. Each of them tells its commit and machine. */
export function withSections(page: string, machine: MachineFacts, sections: readonly Section[]): string {
  const facts = machine.map(([name, value]) => `${name}: ${value}`).join('; ');
  const [head = '', ...earlier] = page.trimEnd().split(/\n(?=## )/);
  const later = new Map(
    sections.map((section) => [
      section.bench.title,
      `${sectionText(section)}\n\nA run by itself. ${facts}.\n`,
    ]),
  );
  const kept = head
    .split('\n')
    .filter((line) => !sections.some(({ bench }) => line.startsWith(`${omission(bench.title)} (`)))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
  const replaced = earlier.map((text) => {
    const title = text.slice('## '.length, text.indexOf('\n'));
    const own = later.get(title);
    later.delete(title);
    return own ?? text;
  });
  const texts = [kept, ...replaced, ...later.values()];
  return `${texts.map((text) => text.trim()).join('\n\n')}\n`;
}

const omission = (title: string): string => `Not in this run: ${title}`;

function sectionText({ bench, figures, failure }: Section): string {
  if (failure !== undefined)
    return `## ${bench.title}\n\nIt failed in this run, and has no figures: ${failure}`;
  const rows = figures.map((figure) => {
    const { name, meaning } = figure;
    return `| ${cell(name)} | ${valueText(figure)} | ${targetText(figure)} | ${cell(meaning)} |`;
  });
  return `## ${bench.title}

${bench.method}${bench.comparison === undefined ? '' : ` ${bench.comparison}`}

| | Measured | Target | What it means |
|---|---|---|---|
${rows.join('\n')}`;
}

export function lines({ bench, figures, failure }: Section): string {
  if (failure !== undefined) return `${bench.title}\n  failed: ${failure}\n`;
  const widest = Math.max(...figures.map(({ name }) => name.length));
  const rows = figures.map((figure) => {
    const target = figure.target ? `   ${targetText(figure)}` : '';
    return `  ${figure.name.padEnd(widest)}  ${valueText(figure)}${target}`;
  });
  const comparison = bench.comparison === undefined ? [] : [`  ${bench.comparison}`];
  return [bench.title, ...comparison, ...rows, ''].join('\n');
}

function valueText({ value, unit, least, most, detail }: Figure): string {
  const spread =
    least !== undefined && most !== undefined ? ` (${rounded(least, unit)} to ${rounded(most, unit)})` : '';
  const measured = `${rounded(value, unit)}${unit === '' || unit === '/s' ? unit : ` ${unit}`}`;
  return `${measured}${spread}${detail === undefined ? '' : `, ${detail}`}`;
}

function rounded(value: number, unit: Figure['unit']): string {
  if (unit === 's') return value.toFixed(2);
  if (unit === '×') return value.toFixed(value < 10 ? 2 : 1);
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1).replace(/\.0$/, '');
}

function targetText({ value, target }: Figure): string {
  if (!target) return '';
  const isMet = target.kind === 'at least' ? value >= target.value : value <= target.value;
  return `${target.kind} ${target.value}: ${isMet ? 'met' : 'MISSED'}`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
