import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { startTestApi, type TestApi } from './test.api.js';
import { SANDBOX_SECRET, SandboxHost } from './test.sandbox.js';
import { newDatabaseSettings } from './test.store.js';

/** Two services with directories of their own stand for two machines. They share the three servers only. */
export class TwoMachines {
  private readonly sandboxes = new SandboxHost();
  private readonly folder = mkdtempSync(join(tmpdir(), 'tillstream-machines-'));
  private events: EventStoreDbDouble | undefined;
  private shared: Record<string, string> = {};
  a!: TestApi;
  b!: TestApi;

  /** Starts both at once, for the first time. */
  async start(): Promise<void> {
    this.events = await startEventStoreDbDouble();
    const timings = { PROCESSOR_DEADLINE_MS: '2000', SEND_WITHIN_MS: '1500' };
    const { origin } = await this.sandboxes.ask({
      start: {
        SANDBOX_PORT: '0',
        SANDBOX_DATA_DIR: join(this.folder, 'sandbox'),
        SANDBOX_SECRET,
        ...timings,
      },
    });
    this.shared = {
      ...{ EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: this.events.url, ...(await newDatabaseSettings()) },
      ...{ SANDBOX: 'network', SANDBOX_URL: origin, SANDBOX_SECRET, ...timings },
    };
    [this.a, this.b] = await Promise.all([this.startMachine('a'), this.startMachine('b')]);
  }

  startMachine(machine: 'a' | 'b'): Promise<TestApi> {
    return startTestApi({ ...this.shared, DATA_DIR: join(this.folder, machine) });
  }

  async stop(): Promise<void> {
    for (const api of [this.a, this.b]) await api.stop();
    await this.sandboxes.end();
    await this.events?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
