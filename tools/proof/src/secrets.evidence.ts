import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretSearch } from './secret.search.js';
import { vaultSecretsOf } from './vault.bytes.js';

/** What is known of a person, each text by chance, so that it is nowhere else. */
export type Person = readonly string[];

export interface HeardAnswer {
  /** What was asked, for complaints. */
  readonly what: string;
  readonly text: string;
}

/** Text that would stand before an expiry in the clear. */
const CLEAR_EXPIRY = '"cardExpDate":"';

/** Gathers what must not be found while the service is used, and looks for it in the end. */
export class SecretsEvidence {
  readonly answers: HeardAnswer[] = [];
  readonly output: Buffer[] = [];
  private readonly persons: Person[] = [];
  private readonly erased: { readonly person: Person; readonly since: number }[] = [];
  private readonly destroyed = new Map<string, readonly Buffer[]>();
  private searched = 0;

  constructor(
    private readonly dataDir: string,
    private readonly numbers: readonly string[],
  ) {}

  person(person: Person): void {
    this.persons.push(person);
  }

  /** Call it before it is destroyed. Gives a complaint where nothing is there to be destroyed: then nothing is proved. */
  remember(subject: string): string[] {
    const secrets = vaultSecretsOf(this.dataDir, subject);
    this.destroyed.set(subject, [...(this.destroyed.get(subject) ?? []), ...secrets]);
    return secrets.length > 0
      ? []
      : [`nothing was found of ${subject} before its destruction: is this proof out of date?`];
  }

  /** From now on nobody may be told of this person. */
  forget(person: Person): void {
    this.erased.push({ person, since: this.answers.length });
  }

  get figures(): Readonly<Record<string, number>> {
    return {
      answers: this.answers.length,
      persons: this.persons.length,
      erased: this.erased.length,
      'destroyed subjects': this.destroyed.size,
      'destroyed secrets': [...this.destroyed.values()].reduce((sum, { length }) => sum + length, 0),
      'bytes searched': this.searched,
    };
  }

  /** Call it when all processes have ended. */
  complaints(): string[] {
    return [...this.inFiles(), ...this.inAnswers()];
  }

  /** No file and no output ever holds a number or a person in the clear, or anything of what was destroyed. */
  private inFiles(): string[] {
    const texts = [...this.persons.flat(), CLEAR_EXPIRY];
    const search = new SecretSearch({ numbers: this.numbers, texts, bytes: this.destroyed });
    const look = (where: string, bytes: Buffer): string[] => {
      this.searched += bytes.length;
      return search.in(where, bytes);
    };
    const files = readdirSync(this.dataDir, { recursive: true, withFileTypes: true });
    const found = files
      .filter((file) => file.isFile())
      .flatMap(({ parentPath, name }) => look(name, readFileSync(join(parentPath, name))));
    return [...found, ...look('the output', Buffer.concat(this.output))];
  }

  private inAnswers(): string[] {
    const search = new SecretSearch({ numbers: this.numbers, bytes: this.destroyed });
    const secret = this.answers.flatMap(({ what, text }) => {
      this.searched += text.length;
      return search.in(`the answer to ${what}`, Buffer.from(text));
    });
    const told = this.erased.flatMap(({ person, since }) =>
      this.answers
        .slice(since)
        .filter(({ text }) => person.some((fact) => text.includes(fact)))
        .map(({ what }) => `the answer to ${what} tells of an erased person`),
    );
    return [...secret, ...told];
  }
}
