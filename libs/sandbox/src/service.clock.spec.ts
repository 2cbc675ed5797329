import { SandboxFixture, START } from './sandbox.fixture.js';
import type { StandaloneSandbox } from './sandbox.js';
import { readClockOffset } from './sandbox.usage.js';

const HOUR_MS = 3_600_000;

let world: SandboxFixture;
let sandbox: StandaloneSandbox;
beforeEach(() => {
  world = new SandboxFixture();
  sandbox = world.openStandalone();
});
afterEach(() => world.remove());

describe('The service’s clock in a sandbox of its own process', () => {
  it('is real time until it is told of an offset', () => {
    expect(sandbox.clock.now()).toBe(START);
    world.now += 5;
    expect(sandbox.clock.now()).toBe(START + 5);
  });

  it('is the same in every process from its next turn on, and after a restart', async () => {
    const other = world.openStandalone();
    expect(other.clock.now()).toBe(START);
    sandbox.clock.adoptOffset(HOUR_MS);
    expect(sandbox.clock.now()).toBe(START + HOUR_MS);
    await new Promise(setImmediate);
    expect(other.clock.now()).toBe(START + HOUR_MS);
    other.clock.adoptOffset(HOUR_MS + 1);
    world.closeAll();
    expect(world.openStandalone().clock.offsetMs()).toBe(HOUR_MS + 1);
  });

  it('only goes forward, and takes nothing that is no offset', () => {
    sandbox.clock.adoptOffset(10_000);
    for (const told of [9_999, 10_000, -1, NaN, 1.5, Date.UTC(10_000, 0, 1)]) sandbox.clock.adoptOffset(told);
    expect(sandbox.clock.now()).toBe(START + 10_000);
  });

  it('rules what its customers see', () => {
    const expired = world.card(1_000, { card: { number: '4242424242424242', expDate: '0130' } });
    sandbox.clock.adoptOffset(Date.UTC(2030, 1, 1) - START);
    expect(sandbox.acquirer.execute(expired)).toMatchObject({ answer: { hostCode: '54' } });
  });

  it('can be looked at without opening the books', () => {
    expect(readClockOffset(`${world.file}.none`)).toBe(0);
    expect(readClockOffset(world.file)).toBe(0);
    sandbox.clock.adoptOffset(HOUR_MS);
    expect(readClockOffset(world.file)).toBe(HOUR_MS);
  });
});
