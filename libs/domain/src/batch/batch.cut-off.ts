/*
 * When a merchant's day ends, by the calendar of its time zone. `Intl` alone: the same arguments give the same answer.
 */

const DAY_MS = 86_400_000;
/** A day of the calendar may be missing altogether where a place crossed the date line. */
const DAYS_AHEAD = [-1, 0, 1, 2, 3];

/**
 * The first cut-off strictly after the instant `after` (ms since 1970). `truncateBody` is `HH:MM` in the IANA zone. A time that
 * the clocks skip in spring means the instant as long after the gap as it lies in it; one that they show twice in
 * autumn means the first (as `Temporal` does by default). Throws `RangeError` for an unknown zone or another form.
 */
export function nextCutOff(after: number, timeZone: string, cutOff: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(cutOff) ?? [];
  if (hours === undefined || minutes === undefined) throw new RangeError(`"${cutOff}" is no time as HH:MM`);
  const timeOfDay = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = after + offsetAt(after, timeZone);
  const day = local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
  for (const days of DAYS_AHEAD) {
    const instant = instantOf(day + days * DAY_MS + timeOfDay, timeZone);
    if (instant > after) return instant;
  }
  throw new RangeError(`no cut-off within ${DAYS_AHEAD.length} days of ${new Date(after).toISOString()}`);
}

/** The instant at which the clocks of the zone show a local time, given as if it were UTC. */
function instantOf(local: number, timeZone: string): number {
  // No zone changes its offset twice in two days: these are all that the local time can mean.
  const before = offsetAt(local - DAY_MS, timeZone);
  const later = offsetAt(local + DAY_MS, timeZone);
  const meant = [before, later]
    .map((offset) => local - offset)
    .filter((instant) => instant + offsetAt(instant, timeZone) === local);
  return meant.length > 0 ? Math.min(...meant) : local - before;
}

/** What the clocks of the zone are ahead of UTC, ms. */
function offsetAt(instant: number, timeZone: string): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  const whole = Math.floor(instant / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

/** Making one costs a hundred times as much as using it. There are some 400 zones, each under a few names. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 1_000;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
}
