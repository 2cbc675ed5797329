const DAY_MS = 86_400_000;
/** More than one day ahead: a zone that crosses the date line skips a whole calendar day. */
const DAYS_AHEAD = [-1, 0, 1, 2, 3];

/**
 * The first cut-off strictly after the instant `after` (ms since 1970). `cutOff` is `HH:MM` in the IANA zone. In spring,
 * a local time that the clocks skip is moved forward by the length of the gap. In autumn, a local time that occurs twice
 * means the first occurrence. Both are the defaults of `Temporal`.
 *
 * @throws RangeError for an unknown zone or another form of `cutOff`
 */
export function nextCutOff(after: number, timeZone: string, cutOff: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(cutOff) ?? [];
  if (hours === undefined || minutes === undefined) throw new RangeError(`"${cutOff}" is no time as HH:MM`);
  const timeOfDay = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const clock = localClock(timeZone);
  const local = after + offsetAt(after, clock);
  const day = local - (((local % DAY_MS) + DAY_MS) % DAY_MS);
  for (const days of DAYS_AHEAD) {
    const instant = instantOf(day + days * DAY_MS + timeOfDay, clock);
    if (instant > after) return instant;
  }
  throw new RangeError(`no cut-off within ${DAYS_AHEAD.length} days of ${new Date(after).toISOString()}`);
}

/** The instant of a local time, which is given as if it were UTC. */
function instantOf(local: number, clock: Intl.DateTimeFormat): number {
  // No zone changes its offset twice in two days, so one of these two offsets applies.
  const before = offsetAt(local - DAY_MS, clock);
  const later = offsetAt(local + DAY_MS, clock);
  const candidates = [before, later]
    .map((offset) => local - offset)
    .filter((instant) => instant + offsetAt(instant, clock) === local);
  return candidates.length > 0 ? Math.min(...candidates) : local - before;
}

/** Offset of the zone from UTC, ms. */
function offsetAt(instant: number, clock: Intl.DateTimeFormat): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of clock.formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  const whole = Math.floor(instant / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

function localClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
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
}
