import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryEndpoint } from '../delivery.types.js';
import type { HealthChange } from '../delivery.store.port.js';
import { EndpointHealthReports } from './endpoint.health.js';

const QUIET_MS = 40;
const endpoint = (id: string): DeliveryEndpoint => ({ id }) as DeliveryEndpoint;

describe('The health of an endpoint', () => {
  let lines: [id: string, change: HealthChange][];
  let reports: EndpointHealthReports;
  beforeEach(() => {
    lines = [];
    reports = new EndpointHealthReports(
      { changed: ({ id }, change) => void lines.push([id, change]) },
      QUIET_MS,
    );
  });
  afterEach(() => reports.stop());

  it('is reported at its first change at once', () => {
    reports.changed(endpoint('a'), 'StartedFailing');
    reports.changed(endpoint('a'), 'Exhausted');
    reports.changed(endpoint('b'), 'Recovered');
    expect(lines).toEqual([
      ['a', 'StartedFailing'],
      ['a', 'Exhausted'],
      ['b', 'Recovered'],
    ]);
  });

  it('that changes all the time is reported once in a while, and in the end as it is', async () => {
    for (let count = 0; count < 500; count++) {
      reports.changed(endpoint('a'), 'StartedFailing');
      reports.changed(endpoint('a'), 'Recovered');
    }
    expect(lines).toEqual([['a', 'StartedFailing']]);
    await sleep(QUIET_MS * 3);
    expect(lines).toEqual([
      ['a', 'StartedFailing'],
      ['a', 'Recovered'],
    ]);
    reports.changed(endpoint('a'), 'StartedFailing');
    expect(lines).toHaveLength(3);
  });

  it('is not reported twice when it is in the end as it was reported', async () => {
    reports.changed(endpoint('a'), 'StartedFailing');
    reports.changed(endpoint('a'), 'Recovered');
    reports.changed(endpoint('a'), 'StartedFailing');
    await sleep(QUIET_MS * 2);
    expect(lines).toEqual([['a', 'StartedFailing']]);
  });
});
