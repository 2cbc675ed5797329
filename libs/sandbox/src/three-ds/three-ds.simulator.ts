import type { Cents, Currency, ThreeDsFacts } from '@tillstream/domain';
import { randomBytes } from 'node:crypto';
import { maskedNumber } from '../acquirer/cards.table.js';
import type { SandboxDatabase } from '../ledger/sandbox.database.js';
import { authenticationFacts, failedFacts, PASSING_CODE, threeDsCard } from './three-ds.table.js';

export interface CardAuthentication {
  /** Of the attempt, `<trx id>.<try>`. */
  readonly key: string;
  readonly cardNumber: string;
  /** 0 for a card that will only be stored. */
  readonly amount: Cents;
  readonly currency: Currency;
  readonly merchantName: string;
  /** The service's clock, ms. */
  readonly challengeExpiresAt: number;
}

export type AuthenticationReaction =
  | { readonly kind: 'Completed'; readonly threeDs: ThreeDsFacts }
  | { readonly kind: 'ChallengeRequired'; readonly challengeId: string };

export type ChallengeReaction =
  | { readonly kind: 'Completed'; readonly threeDs: ThreeDsFacts }
  | { readonly kind: 'Open' }
  | { readonly kind: 'Unknown' };

export type ChallengeState = 'Open' | 'Passed' | 'Failed' | 'Expired';

/** A challenge as the page of the access control server (ACS) shows it. */
export interface Challenge {
  /** Of the attempt. The page does not show it. */
  readonly key: string;
  readonly state: ChallengeState;
  readonly merchantName: string;
  readonly amount: Cents;
  readonly currency: Currency;
  /** Only the last four digits are readable. */
  readonly maskedCardNumber: string;
  /** The service's clock, ms. */
  readonly expiresAt: number;
}

interface ChallengeRow extends Challenge {
  readonly challengeId: string;
  /** JSON: the facts if the cardholder passes. */
  readonly facts: string;
}
type FrictionlessRow = { readonly key: string; readonly state: 'Frictionless'; readonly facts: string };
type Row = FrictionlessRow | ChallengeRow;

const CHALLENGE_ID_BYTES = 24;

const ROWS = `
  SELECT key, state, challenge AS challengeId, facts, merchant AS merchantName, amount, currency,
    card AS maskedCardNumber, expires_at AS expiresAt
  FROM authentication`;

function prepareStatements({ sqlite }: SandboxDatabase) {
  return {
    byKey: sqlite.prepare<[string], Row>(`${ROWS} WHERE key = ?`),
    byChallenge: sqlite.prepare<[string], ChallengeRow>(`${ROWS} WHERE challenge = ?`),
    putFrictionless: sqlite.prepare<[string, string]>(
      `INSERT INTO authentication (key, state, facts) VALUES (?, 'Frictionless', ?)`,
    ),
    putChallenge: sqlite.prepare<ChallengeRow>(
      `INSERT INTO authentication (key, state, challenge, facts, merchant, amount, currency, card, expires_at)
       VALUES (@key, @state, @challengeId, @facts, @merchantName, @amount, @currency, @maskedCardNumber, @expiresAt)`,
    ),
    end: sqlite.prepare<[ChallengeState, string]>(
      `UPDATE authentication SET state = ? WHERE key = ? AND state = 'Open'`,
    ),
  };
}

/**
 * The simulated directory server and access control server (ACS) of 3-D Secure. All state is in the sandbox's file, without
 * a card number. Calls throw `NothingExecuted` if nothing was stored, and the database's error if the commit itself failed.
 */
export class ThreeDsSimulator {
  private readonly statements: ReturnType<typeof prepareStatements>;

  /** @param serviceNow the service's clock, ms */
  constructor(
    private readonly database: SandboxDatabase,
    private readonly serviceNow: () => number,
  ) {
    this.statements = prepareStatements(database);
  }

  /** A repeated key gets the first result, also if its challenge has ended since. */
  authenticate(request: CardAuthentication): AuthenticationReaction {
    return this.database.transaction(() => {
      const known = this.statements.byKey.get(request.key);
      return reactionOf(known ?? this.begin(request));
    });
  }

  result(key: string, challengeId: string): ChallengeReaction {
    const row = this.read(challengeId);
    if (row?.key !== key) return { kind: 'Unknown' };
    if (row.state === 'Open') return { kind: 'Open' };
    const passed = JSON.parse(row.facts) as ThreeDsFacts;
    const threeDs = row.state === 'Passed' ? passed : failedFacts(passed, row.state === 'Expired');
    return { kind: 'Completed', threeDs };
  }

  /** Undefined: there is no such challenge. */
  find(challengeId: string): Challenge | undefined {
    const row = this.read(challengeId);
    return row && challengeOf(row);
  }

  /** Only the first answer counts, and none after the expiry. Returns the challenge as it is then. */
  answer(challengeId: string, code: string): Challenge | undefined {
    return this.database.transaction(() => {
      const row = this.read(challengeId);
      if (row?.state === 'Open')
        this.statements.end.run(code === PASSING_CODE ? 'Passed' : 'Failed', row.key);
      return this.find(challengeId);
    });
  }

  private begin({ key, cardNumber, ...request }: CardAuthentication): Row {
    const facts = JSON.stringify(authenticationFacts(cardNumber));
    if (!threeDsCard(cardNumber).isChallenged) {
      this.statements.putFrictionless.run(key, facts);
      return { key, state: 'Frictionless', facts };
    }
    const { merchantName, amount, currency, challengeExpiresAt: expiresAt } = request;
    const challengeId = randomBytes(CHALLENGE_ID_BYTES).toString('base64url');
    const maskedCardNumber = maskedNumber(cardNumber);
    const shown = { merchantName, amount, currency, maskedCardNumber, expiresAt };
    const row: ChallengeRow = { key, state: 'Open', challengeId, facts, ...shown };
    this.statements.putChallenge.run(row);
    return row;
  }

  /** Stores the expiry of a challenge that is due: an expired challenge stays expired. */
  private read(challengeId: string): ChallengeRow | undefined {
    const row = this.statements.byChallenge.get(challengeId);
    if (row?.state !== 'Open' || this.serviceNow() < row.expiresAt) return row;
    this.statements.end.run('Expired', row.key);
    // Another process may have stored an answer in between.
    return this.statements.byChallenge.get(challengeId);
  }
}

function reactionOf(row: Row): AuthenticationReaction {
  if (row.state !== 'Frictionless') return { kind: 'ChallengeRequired', challengeId: row.challengeId };
  return { kind: 'Completed', threeDs: JSON.parse(row.facts) as ThreeDsFacts };
}

function challengeOf({ challengeId: _id, facts: _facts, ...challenge }: ChallengeRow): Challenge {
  return challenge;
}
