import { VaultError, type Sealed, type CardAndText, type Vault } from '@tillstream/vault';

type VaultCall = 'keepCard' | 'openCard' | 'openStored' | 'seal' | 'open' | 'destroy';

/** Any vault, with faults on command: for the tests of those who keep and destroy. */
export class FaultyVault implements Vault {
  /** Every call that reached the vault behind, in order, as `<call> <subject>`. */
  readonly calls: string[] = [];
  private readonly faults: {
    readonly call: VaultCall | 'any';
    readonly fault: () => unknown;
    left: number;
  }[] = [];

  constructor(private readonly behind: Vault) {}

  /** The next so many calls of this kind are refused, and nothing is done. */
  fail(call: VaultCall | 'any', times = 1): void {
    this.before(
      call,
      () => {
        throw new VaultError('Unavailable', 'injected: nothing was done');
      },
      times,
    );
  }

  /** Something happens right before the next call of this kind; where it throws, the call is never made. */
  before(call: VaultCall | 'any', meanwhile: () => unknown, times = 1): void {
    this.faults.push({ call, fault: meanwhile, left: times });
  }

  /** No more faults. */
  clearFaults(): void {
    this.faults.length = 0;
  }

  async storeCard(subject: string, card: string): Promise<void> {
    await this.suffer('keepCard', subject);
    return this.behind.storeCard(subject, card);
  }

  async openCard(subject: string): Promise<string | undefined> {
    await this.suffer('openCard', subject);
    return this.behind.openCard(subject);
  }

  async openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText> {
    await this.suffer('openStored', subject);
    return this.behind.openCardAndText(subject, sealed);
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    await this.suffer('seal', subject);
    return this.behind.seal(subject, text);
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    await this.suffer('open', sealed.map(({ keyId }) => keyId).join());
    return this.behind.open(sealed);
  }

  async destroy(subject: string): Promise<void> {
    await this.suffer('destroy', subject);
    return this.behind.destroy(subject);
  }

  close(): Promise<void> {
    return this.behind.close();
  }

  private async suffer(call: VaultCall, subject: string): Promise<void> {
    const index = this.faults.findIndex((one) => one.call === call || one.call === 'any');
    const found = this.faults[index];
    if (found) {
      found.left -= 1;
      if (found.left <= 0) this.faults.splice(index, 1);
      await found.fault();
    }
    this.calls.push(`${call} ${subject}`);
  }
}
