import type { Cents, ConsentLanguage, Currency } from '@tillstream/domain';

/*
 * The authorizations of debits that bank forms show (`docs/spec/bank-payments.md#authorization`). The event of a consent has
 * the whole text. A version stays here, unchanged, as long as a page may show it: a changed text is a new version.
 */

/** What a text names. */
export interface AuthorizationFacts {
  /** `Ach`: the rules of Nacha for WEB entries. `Eft`: Rule H1 of Payments Canada. */
  readonly channel: 'Ach' | 'Eft';
  readonly merchantName: string;
  readonly currency: Currency;
  /** Cents. Left out: the account is stored for later debits. */
  readonly amount?: Cents;
}

export interface FormAuthorization {
  readonly version: string;
  readonly texts: Readonly<Record<ConsentLanguage, string>>;
}

export const CURRENT_AUTHORIZATION = '2026-11';

type Wording = Readonly<
  Record<ConsentLanguage, Readonly<Record<'oneAchDebit' | 'oneEftDebit' | 'laterDebits', Text>>>
>;
type Text = (names: { readonly merchant: string; readonly amount: string }) => string;

const WORDINGS: Readonly<Record<string, Wording>> = {
  [CURRENT_AUTHORIZATION]: {
    en: {
      oneAchDebit: ({ merchant, amount }) =>
        `By submitting this form, I authorize ${merchant} to debit the bank account that I entered once, electronically, ` +
        `for ${amount}, on the day of my submission or on one of the following banking days, and to credit the account to ` +
        'correct an error. I am the holder of this account or may authorize debits of it. The debit has to comply with ' +
        'United States law. ' +
        `I can revoke this authorization by telling ${merchant} before the debit is sent to my bank; after that I can ask ` +
        `${merchant} for a refund. I can print or save this text for my records.`,
      oneEftDebit: ({ merchant, amount }) =>
        'Pre-authorized debit (PAD) agreement for one debit. ' +
        `By submitting this form, I authorize ${merchant} and its financial institution to debit the bank account that I ` +
        `entered once, for ${amount}, on the day of my submission or on one of the following business days. I am the ` +
        'holder of this account or may authorize debits of it. I agree that I get no other notice of the amount and the ' +
        'date before this debit. ' +
        `I can revoke this authorization by telling ${merchant} before the debit is sent to my financial institution. A ` +
        'sample cancellation form, and more information on my right to cancel a PAD agreement, are available at my ' +
        'financial institution and at www.payments.ca. I have certain recourse rights if a debit does not comply with ' +
        'this agreement. For example, I have the right to receive reimbursement for any debit that is not authorized or ' +
        'is not consistent with this PAD agreement. For more information on my recourse rights, I can contact my ' +
        'financial institution or visit www.payments.ca. I can print or save this text for my records.',
      laterDebits: ({ merchant }) =>
        `By submitting this form, I authorize ${merchant} to store the bank account that I entered and to debit it ` +
        `electronically for amounts and on dates that I agree on with ${merchant}, once or regularly, and to credit the ` +
        'account to correct an error. I am the holder of this account or may authorize debits of it. The debits have to ' +
        'comply with United States law. ' +
        `This authorization is valid until I revoke it. I can revoke it at any time by telling ${merchant}; a debit that ` +
        `follows in less than three business days may still be made. I can print or save this text for my records.`,
    },
    fr: {
      oneAchDebit: ({ merchant, amount }) =>
        `En soumettant ce formulaire, j’autorise ${merchant} à débiter une seule fois, par voie électronique, le compte ` +
        `bancaire que j’ai saisi, de ${amount}, le jour de ma soumission ou l’un des jours bancaires suivants, et à ` +
        'créditer ce compte pour corriger une erreur. Je suis titulaire de ce compte ou je peux en autoriser les débits. ' +
        'Le débit doit respecter le droit des États-Unis. ' +
        `Je peux révoquer cette autorisation en informant ${merchant} avant que le débit soit transmis à ma banque ; ` +
        `ensuite, je peux demander un remboursement à ${merchant}. Je peux imprimer ou enregistrer ce texte.`,
      oneEftDebit: ({ merchant, amount }) =>
        'Accord de débit préautorisé (DPA) pour un seul débit. ' +
        `En soumettant ce formulaire, j’autorise ${merchant} et son institution financière à débiter une seule fois le ` +
        `compte bancaire que j’ai saisi, de ${amount}, le jour de ma soumission ou l’un des jours ouvrables suivants. Je ` +
        'suis titulaire de ce compte ou je peux en autoriser les débits. J’accepte de ne recevoir aucun autre avis du ' +
        'montant et de la date avant ce débit. ' +
        `Je peux révoquer cette autorisation en informant ${merchant} avant que le débit soit transmis à mon institution ` +
        'financière. Un spécimen de formulaire d’annulation et plus de renseignements sur mon droit d’annuler un accord ' +
        'de DPA sont disponibles auprès de mon institution financière et à www.paiements.ca. J’ai certains droits de ' +
        'recours si un débit n’est pas conforme à cet accord. Par exemple, j’ai le droit de recevoir le remboursement de ' +
        'tout débit qui n’est pas autorisé ou qui n’est pas compatible avec cet accord de DPA. Pour plus de ' +
        'renseignements sur mes droits de recours, je peux communiquer avec mon institution financière ou visiter ' +
        'www.paiements.ca. Je peux imprimer ou enregistrer ce texte.',
      laterDebits: ({ merchant }) =>
        `En soumettant ce formulaire, j’autorise ${merchant} à conserver le compte bancaire que j’ai saisi et à le débiter ` +
        `par voie électronique, des montants et aux dates que je conviens avec ${merchant}, une fois ou régulièrement, et ` +
        'à créditer ce compte pour corriger une erreur. Je suis titulaire de ce compte ou je peux en autoriser les ' +
        'débits. Les débits doivent respecter le droit des États-Unis. ' +
        `Cette autorisation est valable jusqu’à ce que je la révoque. Je peux la révoquer à tout moment en informant ` +
        `${merchant} ; un débit qui suit dans moins de trois jours ouvrables peut encore avoir lieu. Je peux imprimer ou ` +
        'enregistrer ce texte.',
    },
  },
};

export function isKnownAuthorization(version: string): boolean {
  return Object.hasOwn(WORDINGS, version);
}

/** @throws RangeError for an unknown version; the caller checks it */
export function authorizationText(
  { version, language }: { readonly version: string; readonly language: ConsentLanguage },
  { channel, merchantName, currency, amount }: AuthorizationFacts,
): string {
  const wording = isKnownAuthorization(version) ? WORDINGS[version] : undefined;
  if (!wording) throw new RangeError('there is no authorization of this version');
  const { oneAchDebit, oneEftDebit, laterDebits } = wording[language];
  const text = amount === undefined ? laterDebits : channel === 'Ach' ? oneAchDebit : oneEftDebit;
  return text({ merchant: merchantName, amount: amountText(amount ?? 0, currency, language) });
}

/** The current version, as a form shows it. */
export function currentAuthorization(facts: AuthorizationFacts): FormAuthorization {
  const version = CURRENT_AUTHORIZATION;
  const textIn = (language: ConsentLanguage): string => authorizationText({ version, language }, facts);
  return { version, texts: { en: textIn('en'), fr: textIn('fr') } };
}

/** `USD 1,234.50`, and `1 234,50 USD` in French, with spaces that do not break. Made here: the texts of ICU change. */
function amountText(amount: Cents, currency: Currency, language: ConsentLanguage): string {
  const cents = String(amount % 100).padStart(2, '0');
  const units = String(Math.floor(amount / 100));
  const grouped = (separator: string): string => units.replace(/\B(?=(\d{3})+$)/g, separator);
  return language === 'en'
    ? `${currency}\u00a0${grouped(',')}.${cents}`
    : `${grouped('\u00a0')},${cents}\u00a0${currency}`;
}
