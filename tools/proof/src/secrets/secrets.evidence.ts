import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECURITY_CODE } from './form.customer.js';
import { SecretSearch } from './secret.search.js';
import { vaultSecretsOf } from '../audit/vault.bytes.js';

/** Random texts about a person, which occur nowhere else. */
export type Person = readonly string[];

/** Precedes an expiry in the clear. */
const CLEAR_EXPIRY = '"cardExpDate":"';
/** In JSON, and in an object that was printed. The digits alone are everywhere by chance. */
const CLEAR_CVV = [`"cvv":"${SECURITY_CODE}`, `cvv: '${SECURITY_CODE}`];

/** Collects secrets while the service runs, and searches for them in the end. */
export class SecretsEvidence {
  /** `what` is the request, for complaints. */
  readonly responses: { readonly what: string; readonly text: string }[] = [];
  readonly output: Buffer[] = [];
  readonly persons: Person[] = [];
  private readonly erased: { readonly person: Person; readonly fromResponse: number }[] = [];
  private readonly destroyed = new Map<string, readonly Buffer[]>();
  private searched = 0;

  constructor(
    private readonly dataDir: string,
    private readonly numbers: readonly string[],
  ) {}

  /**
   * Call it before the subject is destroyed. Returns a complaint if the vault holds nothing of it: then nothing is
   * proved.
   */
  remember(subject: string): string[] {
    const secrets = vaultSecretsOf(this.dataDir, subject);
    this.destroyed.set(subject, [...(this.destroyed.get(subject) ?? []), ...secrets]);
    return secrets.length > 0
      ? []
      : [`nothing was found of ${subject} before its destruction: is this proof out of date?`];
  }

  /** No later response may have data of this person. */
  forget(person: Person): void {
    this.erased.push({ person, fromResponse: this.responses.length });
  }

  get figures(): Readonly<Record<string, number>> {
    return {
      responses: this.responses.length,
      persons: this.persons.length,
      erased: this.erased.length,
      'destroyed subjects': this.destroyed.size,
      'destroyed secrets': [...this.destroyed.values()].reduce((sum, { length }) => sum + length, 0),
      'bytes searched': this.searched,
    };
  }

  complaints(): string[] {
    return [...this.inFiles(), ...this.inAnswers()];
  }

  /** No file and no output has a number, a person in the clear, or a part of a destroyed key. */
  private inFiles(): string[] {
    const texts = [...this.persons.flat(), CLEAR_EXPIRY, ...CLEAR_CVV];
    const search = new SecretSearch({ numbers: this.numbers, texts, bytes: this.destroyed });
    const read = (where: string, bytes: Buffer): string[] => {
      this.searched += bytes.length;
      return search.in(where, bytes);
    };
    const files = readdirSync(this.dataDir, { recursive: true, withFileTypes: true });
    const found = files
      .filter((file) => file.isFile())
      .flatMap(({ parentPath, name }) => read(name, readFileSync(join(parentPath, name))));
    return [...found, ...read('the output', Buffer.concat(this.output))];
  }

  private inAnswers(): string[] {
    const search = new SecretSearch({ numbers: this.numbers, texts: CLEAR_CVV, bytes: this.destroyed });
    const secret = this.responses.flatMap(({ what, text }) => {
      this.searched += text.length;
      return search.in(`the answer to ${what}`, Buffer.from(text));
    });
    const erasedPersons = this.erased.flatMap(({ person, fromResponse }) =>
      this.responses
        .slice(fromResponse)
        .filter(({ text }) => person.some((fact) => text.includes(fact)))
        .map(({ what }) => `the answer to ${what} has data of an erased person`),
    );
    return [...secret, ...erasedPersons];
  }
}
