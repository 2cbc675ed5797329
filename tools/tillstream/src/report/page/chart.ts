import type { DayFigures } from '../month.report.js';
import { dayName, type Formats } from './formats.js';
import { html, type Markup } from './markup.js';

/*
 * Bars for each day: upwards what was sold, downwards refunds, fees and debits, one on the other; a dot is what is paid out.
 * The page has the same figures as a table.
 */

const WIDTH = 960;
const HEIGHT = 340;
const PLOT = { left: 84, right: 948, top: 14, bottom: 290 };
const BAR_PART = 0.66;
const DOT_RADIUS = 4;
const TICKS_WANTED = 5;

/** What is drawn downwards, from the axis on. */
const DEBITS = [
  ['refunds', ({ refunds }: DayFigures) => refunds],
  ['fees', ({ fees }: DayFigures) => fees],
  ['debits', ({ adjustments }: DayFigures) => Math.max(0, -adjustments)],
] as const;
/** What is drawn upwards. */
const CREDITS = [
  ['gross', ({ gross }: DayFigures) => gross],
  ['credits', ({ adjustments }: DayFigures) => Math.max(0, adjustments)],
] as const;

type Drawn = (typeof DEBITS | typeof CREDITS)[number];

export function chart(days: readonly DayFigures[], formats: Formats): Markup {
  const scale = scaleOf(days);
  const band = (PLOT.right - PLOT.left) / days.length;
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-labelledby="chart-title"
    aria-describedby="chart-description"
    class="chart"
  >
    <title id="chart-title">Each day’s sales, refunds, fees and what is paid out</title>
    <desc id="chart-description">${descriptionOf(days, formats)}</desc>
    <defs>
      <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="6" height="6" class="refunds-ground" />
        <line x1="0" y1="0" x2="0" y2="6" class="refunds-line" />
      </pattern>
    </defs>
    ${days.map((figures, index) => weekend(figures, PLOT.left + index * band, band))}
    ${scale.ticks.map((tick) => gridLine(tick, scale, formats))}
    ${days.map((figures, index) => dayGroup(figures, PLOT.left + index * band, band, { scale, formats }))}
    <line class="axis" x1="${PLOT.left}" x2="${PLOT.right}" y1="${scale.y(0)}" y2="${scale.y(0)}" />
    ${days.map(
      ({ day }, index) =>
        html`<text class="day" x="${round(PLOT.left + (index + 0.5) * band)}" y="${PLOT.bottom + 20}">
          ${Number(day.slice(-2))}
        </text>`,
    )}
    <text class="day" x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 42}">Day of the month</text>
  </svg>`;
}

interface Scale {
  readonly ticks: readonly number[];
  y(cents: number): number;
}

/** Exported for its test. */
export function scaleOf(days: readonly DayFigures[]): Scale {
  const height = (parts: readonly Drawn[], figures: DayFigures): number =>
    parts.reduce((sum, [, value]) => sum + value(figures), 0);
  const highest = Math.max(0, ...days.flatMap((one) => [height(CREDITS, one), one.net]));
  const lowest = Math.min(0, ...days.flatMap((one) => [-height(DEBITS, one), one.net]));
  const step = niceStep((highest - lowest || 100) / TICKS_WANTED);
  const [from, to] = [Math.floor(lowest / step), Math.max(Math.ceil(highest / step), 1)];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
  const perCent = (PLOT.bottom - PLOT.top) / ((to - from) * step);
  return { ticks, y: (cents) => round(PLOT.top + (to * step - cents) * perCent) };
}

/** 1, 2 or 5 times a power of ten, at least a cent. */
function niceStep(rough: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  return (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10) * power;
}

const round = (value: number): number => Math.round(value * 10) / 10;

function gridLine(tick: number, { y }: Scale, formats: Formats): Markup {
  return html`<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(tick)}" y2="${y(tick)}" />
    <text class="tick" x="${PLOT.left - 8}" y="${round(y(tick) + 4)}">${formats.tick(tick)}</text>`;
}

function weekend({ day }: DayFigures, x: number, band: number): Markup | undefined {
  if (new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0) return undefined;
  const height = PLOT.bottom - PLOT.top;
  return html`<rect
    class="weekend"
    x="${round(x)}"
    y="${PLOT.top}"
    width="${round(band)}"
    height="${height}"
  />`;
}

function dayGroup(
  figures: DayFigures,
  x: number,
  band: number,
  { scale, formats }: { readonly scale: Scale; readonly formats: Formats },
): Markup | undefined {
  if (figures.settlements === 0) return undefined;
  const left = round(x + (band * (1 - BAR_PART)) / 2);
  const bars = (parts: readonly Drawn[], sign: 1 | -1): (Markup | undefined)[] => {
    let from = 0;
    return parts.map(([name, value]) => {
      const to = from + sign * value(figures);
      const top = scale.y(Math.max(from, to));
      const height = round(scale.y(Math.min(from, to)) - top);
      from = to;
      return height === 0
        ? undefined
        : html`<rect
            class="${name}"
            x="${left}"
            y="${top}"
            width="${round(band * BAR_PART)}"
            height="${height}"
          />`;
    });
  };
  return html`<g>
    <title>${daySentence(figures, formats)}</title>
    ${bars(CREDITS, 1)} ${bars(DEBITS, -1)}
    <circle class="net" cx="${round(x + band / 2)}" cy="${scale.y(figures.net)}" r="${DOT_RADIUS}" />
  </g>`;
}

function daySentence(figures: DayFigures, { amount }: Formats): string {
  const { day, gross, refunds, fees, adjustments, net } = figures;
  const others = adjustments === 0 ? '' : `, adjustments ${amount(adjustments)}`;
  return (
    `${dayName(day)}: gross ${amount(gross)}, refunds ${amount(refunds)}, fees ${amount(fees)}${others}, ` +
    `paid out ${amount(net)}`
  );
}

function descriptionOf(days: readonly DayFigures[], formats: Formats): string {
  const settled = days.filter(({ settlements }) => settlements > 0);
  const [first] = settled;
  if (!first) return 'Nothing was settled in this month.';
  const highest = settled.reduce((best, one) => (one.net > best.net ? one : best), first);
  const lowest = settled.reduce((worst, one) => (one.net < worst.net ? one : worst), first);
  return (
    `Settled on ${settled.length} of ${days.length} days. The most is paid out for ${dayName(highest.day)}, ` +
    `${formats.amount(highest.net)}; the least for ${dayName(lowest.day)}, ${formats.amount(lowest.net)}. ` +
    'The table “Day by day” has all figures.'
  );
}
