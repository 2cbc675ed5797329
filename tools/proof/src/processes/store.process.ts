import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DOUBLE = fileURLToPath(import.meta.resolve('@tillstream/event-store-testing/eventstoredb/main'));

/** The double of EventStoreDB in a process of its own, which can be frozen. */
export class StoreProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<StoreProcess> {
    const child = spawn(process.execPath, [DOUBLE], { stdio: ['ignore', 'pipe', 'ignore'] });
    process.once('exit', () => child.kill('SIGKILL'));
    // The double prints one line.
    for await (const line of createInterface({ input: child.stdout }))
      return new StoreProcess(child, (JSON.parse(line) as { readonly url: string }).url);
    throw new Error('the double of EventStoreDB ended at once');
  }

  /** Halts the store: it neither answers nor closes connections. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.thaw();
    this.child.kill('SIGKILL');
    await ended;
  }
}
