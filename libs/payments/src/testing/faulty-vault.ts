import { VaultError, type Sealed, type CardAndText, type Vault } from '@tillstream/vault';

type VaultCall = 'keepCard' | 'openCard' | 'openStored' | 'seal' | 'open' | 'destroy';

/** A vault with faults on command. */
export class FaultyVault implements Vault {
  /** Every call that reached the inner vault, in order, as `<call> <subject>`. */
  readonly calls: string[] = [];
  private readonly faults: {
    readonly call: VaultCall | 'any';
    readonly fault: () => unknown;
    left: number;
  }[] = [];

  constructor(private readonly inner: Vault) {}

  /** The next `times` calls of this kind throw `Unavailable` and do nothing. */
  fail(call: VaultCall | 'any', times = 1): void {
    this.before(
      call,
      () => {
        throw new VaultError('Unavailable', 'injected: nothing was done');
      },
      times,
    );
  }

  /** Runs `fault` right before each of the next `times` calls of this kind. If it throws, the call is not made. */
  before(call: VaultCall | 'any', fault: () => unknown, times = 1): void {
    this.faults.push({ call, fault, left: times });
  }

  clearFaults(): void {
    this.faults.length = 0;
  }

  async storeCard(subject: string, card: string): Promise<void> {
    await this.injectFault('keepCard', subject);
    return this.inner.storeCard(subject, card);
  }

  async openCard(subject: string): Promise<string | undefined> {
    await this.injectFault('openCard', subject);
    return this.inner.openCard(subject);
  }

  async openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText> {
    await this.injectFault('openStored', subject);
    return this.inner.openCardAndText(subject, sealed);
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    await this.injectFault('seal', subject);
    return this.inner.seal(subject, text);
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    await this.injectFault('open', sealed.map(({ keyId }) => keyId).join());
    return this.inner.open(sealed);
  }

  async destroy(subject: string): Promise<void> {
    await this.injectFault('destroy', subject);
    return this.inner.destroy(subject);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  private async injectFault(call: VaultCall, subject: string): Promise<void> {
    const index = this.faults.findIndex((fault) => fault.call === call || fault.call === 'any');
    const found = this.faults[index];
    if (found) {
      found.left -= 1;
      if (found.left <= 0) this.faults.splice(index, 1);
      await found.fault();
    }
    this.calls.push(`${call} ${subject}`);
  }
}
