import type { Texts } from './texts.en.js';
import { french } from './texts.fr.js';

/** Of a form for bank accounts. */
export const frenchOfBanks: Texts = {
  ...french,
  intent: { ...french.intent, TokenCreate: 'Enregistrer un compte bancaire' },
  title: {
    ...french.title,
    TokenCreate: (merchant) => `Enregistrer un compte bancaire pour ${merchant}`,
  },
  explanation: {
    ...french.explanation,
    Sale: 'Le montant est prélevé de votre compte bancaire.',
    TokenCreate:
      'Rien n’est prélevé maintenant. Le marchand peut prélever des paiements plus tard, comme convenu avec vous.',
  },
  privacy: (merchant) =>
    `Les données de votre compte sont chiffrées pendant leur transmission. ${merchant} ne les voit pas.`,
  nothing: { ...french.nothing, TokenCreate: 'Le compte n’a pas été enregistré.' },
  section: { ...french.section, account: 'Compte bancaire' },
  field: { ...french.field, name: 'Nom du titulaire du compte' },
  error: { ...french.error, nameMissing: 'Entrez le nom du titulaire du compte.' },
  submit: {
    ...french.submit,
    Sale: (amount) => `Autoriser et payer ${amount}`,
    TokenCreate: () => 'Autoriser et enregistrer le compte',
  },
  notice: {
    ...french.notice,
    declined: { ...french.notice.declined, TokenCreate: 'Le compte n’a pas été accepté' },
    busyTitle: 'Votre paiement est déjà en cours de traitement',
    refusedTitle: 'Votre paiement n’a pas été traité',
  },
  reason: {
    ...french.reason,
    declined: 'La banque a refusé le paiement. Utilisez un autre compte ou appelez votre banque.',
    insufficientFunds: 'Les fonds de ce compte sont insuffisants. Utilisez un autre compte.',
    wrongDetails: 'Certaines données du compte sont inexactes. Vérifiez les numéros.',
    limitExceeded: 'La limite du compte serait dépassée. Utilisez un autre compte.',
    cardNotAllowed: 'Ce compte ne peut pas être utilisé ici. Utilisez un autre compte.',
  },
  ending: {
    ...french.ending,
    approved: { ...french.ending.approved, TokenCreate: 'Compte enregistré' },
    approvedText: {
      ...french.ending.approvedText,
      TokenCreate: (merchant) => `${merchant} peut utiliser ce compte pour vos paiements.`,
    },
    processing: 'Paiement transmis à votre banque',
    processingText: (merchant) =>
      `Votre banque répond en quelques jours ouvrables. ${merchant} sera informé du résultat; vous n’avez rien à faire.`,
  },
};
