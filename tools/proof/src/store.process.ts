import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DOUBLE = fileURLToPath(import.meta.resolve('@tillstream/event-store-testing/eventstoredb/main'));

/** The double of EventStoreDB in a process of its own, which can stand still as a machine does. */
export class StoreProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<StoreProcess> {
    const child = spawn(process.execPath, [DOUBLE], { stdio: ['ignore', 'pipe', 'ignore'] });
    process.once('exit', () => child.kill('SIGKILL'));
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
        if (said.includes('\n')) resolve((JSON.parse(said) as { readonly url: string }).url);
      });
      child.once('exit', () => reject(new Error('the double of EventStoreDB ended at once')));
    });
    return new StoreProcess(child, url);
  }

  /** Neither answers nor ends; what is sent to it waits. */
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
