import { SandboxFixture, START } from './sandbox.fixture.js';
import type { StandaloneSandbox } from './sandbox.js';
import { readClockOffset } from './sandbox.usage.js';

const HOUR_MS = 3_600_000;

let fixture: SandboxFixture;
let sandbox: StandaloneSandbox;
beforeEach(() => {
  fixture = new SandboxFixture();
  sandbox = fixture.openStandalone();
});
afterEach(() => fixture.remove());

describe('The service’s clock in a sandbox of its own process', () => {
  it('is real time until a call carries an offset', () => {
    expect(sandbox.clock.now()).toBe(START);
    fixture.now += 5;
    expect(sandbox.clock.now()).toBe(START + 5);
  });

  it('is the same in every process, and after a restart', async () => {
    const other = fixture.openStandalone();
    expect(other.clock.now()).toBe(START);
    sandbox.clock.adoptOffset(HOUR_MS);
    expect(sandbox.clock.now()).toBe(START + HOUR_MS);
    await new Promise(setImmediate);
    expect(other.clock.now()).toBe(START + HOUR_MS);
    other.clock.adoptOffset(HOUR_MS + 1);
    fixture.closeAll();
    expect(fixture.openStandalone().clock.offsetMs()).toBe(HOUR_MS + 1);
  });

  it('only goes forward, and ignores invalid offsets', () => {
    sandbox.clock.adoptOffset(10_000);
    for (const offset of [9_999, 10_000, -1, NaN, 1.5, Date.UTC(10_000, 0, 1)])
      sandbox.clock.adoptOffset(offset);
    expect(sandbox.clock.now()).toBe(START + 10_000);
  });

  it('decides whether a card has expired', () => {
    const expired = fixture.card(1_000, { card: { number: '4242424242424242', expDate: '0130' } });
    sandbox.clock.adoptOffset(Date.UTC(2030, 1, 1) - START);
    expect(sandbox.acquirer.execute(expired)).toMatchObject({ answer: { hostCode: '54' } });
  });

  it('can be read without opening the ledger', () => {
    expect(readClockOffset(`${fixture.file}.none`)).toBe(0);
    expect(readClockOffset(fixture.file)).toBe(0);
    sandbox.clock.adoptOffset(HOUR_MS);
    expect(readClockOffset(fixture.file)).toBe(HOUR_MS);
  });
});
