import { SandboxFixture, START } from './sandbox.fixture.js';
import type { Sandbox } from './sandbox.js';

let world: SandboxFixture;
let sandbox: Sandbox;
beforeEach(() => {
  world = new SandboxFixture();
  sandbox = world.open();
});
afterEach(() => world.remove());

describe('The sandbox clock', () => {
  it('is real time until it is advanced', () => {
    expect(sandbox.clock.now()).toBe(START);
    world.now += 5;
    expect(sandbox.clock.now()).toBe(START + 5);
  });

  it('is the same in every process from its next turn on, and after a restart', async () => {
    const other = world.open();
    expect(other.clock.now()).toBe(START);
    sandbox.clock.advance(3_600);
    expect(sandbox.clock.now()).toBe(START + 3_600_000);
    await new Promise(setImmediate);
    expect(other.clock.now()).toBe(START + 3_600_000);
    other.clock.advance(1);
    world.closeAll();
    expect(world.open().clock.offsetSeconds()).toBe(3_601);
  });

  it('goes to a time, and runs on from there', () => {
    sandbox.clock.to(START + 10_500);
    world.now += 1_000;
    expect(sandbox.clock.now()).toBe(START + 11_500);
  });

  it('only goes forward', () => {
    sandbox.clock.advance(10);
    expect(() => sandbox.clock.to(START + 9_999)).toThrow(expect.objectContaining({ code: 'Backwards' }));
    expect(() => sandbox.clock.to(START + 10_000)).toThrow(expect.objectContaining({ code: 'Backwards' }));
    expect(sandbox.clock.now()).toBe(START + 10_000);
  });

  it.each([0, -1, 1.5, 31_536_001, NaN])('does not advance by %s s', (seconds) => {
    expect(() => sandbox.clock.advance(seconds)).toThrow(expect.objectContaining({ code: 'OutOfRange' }));
  });

  it('ends with the year 9999', () => {
    expect(() => sandbox.clock.to(Date.UTC(10_000, 0, 1))).toThrow(
      expect.objectContaining({ code: 'OutOfRange' }),
    );
    expect(() => sandbox.clock.to(NaN)).toThrow(expect.objectContaining({ code: 'OutOfRange' }));
  });
});
