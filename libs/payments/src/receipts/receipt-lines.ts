import {
  approvedBreakdown,
  type AttemptResponse,
  type Cents,
  type Currency,
  type Merchant,
  type Operation,
  type Payment,
  type ResponseFacts,
  type Token,
} from '@tillstream/domain';

/**
 * The lines of a terminal's receipt (`docs/spec/terminals.md#receipts`), without the cardholder's name and full card number.
 * In French if the currency is CAD and the merchant's locale is French.
 */
export function receiptLines(
  merchant: Merchant,
  { payment, operation }: { readonly payment: Payment; readonly operation: Operation },
  answer: AttemptResponse,
  at: string,
): readonly string[] {
  if (payment.channel !== 'CardPresent' || operation.kind === 'Reversal') return [];
  const words = receiptWords(merchant, payment.currency);
  // A follow-up has no card of its own: its receipt shows the card that paid.
  const card = answer.facts.card ?? payment.operations[0]?.responses[0]?.outcome.card;
  const facts = { ...answer.facts, ...(card && { card }) };
  const amount = answer.kind === 'Approved' ? answer.amount : operation.amount;
  const money = (cents: Cents): string => formatMoney(cents, payment.currency, words);
  return [
    merchant.name,
    localTime(at, merchant.timeZone),
    `${words.terminal}: ${payment.paymentMethod.description ?? payment.terminalId ?? payment.paymentMethod.id}`,
    words.kinds[operation.kind],
    ...cardLines(facts, words),
    ...breakdownLines(operation, amount, words, money),
    `${words.total}: ${money(amount)}`,
    ...(facts.authCode ? [`${words.authCode}: ${facts.authCode}`] : []),
    outcomeText(answer, operation, words),
    ...(operation.invoiceNumber ? [`${words.invoice}: ${operation.invoiceNumber}`] : []),
    ...(operation.orderNumber ? [`${words.order}: ${operation.orderNumber}`] : []),
  ];
}

/** The receipt of a card verification at a terminal. It shows no amount, because nothing was charged. */
export function verificationReceiptLines(
  merchant: Merchant,
  token: Token,
  answer: AttemptResponse,
  at: string,
): readonly string[] {
  if (token.channel !== 'CardPresent') return [];
  const words = receiptWords(merchant, token.currency);
  const { authCode } = answer.facts;
  // Before the card is stored, the token's payment method is the terminal.
  const terminal = token.paymentMethod.type === 'Physical' ? token.paymentMethod.description : undefined;
  return [
    merchant.name,
    localTime(at, merchant.timeZone),
    `${words.terminal}: ${terminal ?? token.terminalId ?? token.paymentMethod.id}`,
    words.cardOnFile,
    ...cardLines(answer.facts, words),
    ...(authCode ? [`${words.authCode}: ${authCode}`] : []),
    answer.kind === 'Approved' ? words.approved : words.declined,
  ];
}

function receiptWords(merchant: Merchant, currency: Currency): Words {
  return currency === 'CAD' && merchant.locale.toLowerCase().startsWith('fr') ? french : english;
}

function cardLines(facts: ResponseFacts, words: Words): string[] {
  const { card, entryMode } = facts;
  return [
    ...(card ? [`${card.cardType} ${card.maskedCardNumber}`] : []),
    ...(entryMode ? [`${words.entryMode}: ${words.entryModes[entryMode] ?? entryMode}`] : []),
    ...(card?.aid ? [`AID: ${card.aid}`] : []),
    ...(card?.tvr ? [`TVR: ${card.tvr}`] : []),
  ];
}

function breakdownLines(
  operation: Operation,
  amount: Cents,
  words: Words,
  money: (cents: Cents) => string,
): string[] {
  if (!operation.amountBreakdown) return [];
  const parts = approvedBreakdown(operation.amountBreakdown, operation.amount, amount);
  return (['amountGoodsAndServices', 'tax', 'tip', 'cashback'] as const)
    .filter((part) => parts[part] > 0)
    .map((part) => `${words.parts[part]}: ${money(parts[part])}`);
}

function outcomeText(answer: AttemptResponse, operation: Operation, words: Words): string {
  if (answer.kind === 'Submitted') return words.processing;
  if (answer.kind !== 'Approved') return words.declined;
  return answer.amount < operation.amount ? words.partlyApproved : words.approved;
}

/** `12.34 USD`, `12,34 $ CA` in French. */
function formatMoney(cents: Cents, currency: Currency, words: Words): string {
  const whole = Math.floor(cents / 100);
  const rest = String(cents % 100).padStart(2, '0');
  return words === french ? `${whole},${rest} $ CA` : `${whole}.${rest} ${currency}`;
}

/** One format for each time zone: creating one takes about 80 µs, using it about 1.5 µs. */
const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(at: string, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
  }
  return format.format(new Date(at));
}

type Words = typeof english;
type EntryModes = Readonly<Partial<Record<string, string>>>;

const english = {
  terminal: 'Terminal',
  entryMode: 'Entry',
  entryModes: { Chip: 'chip', Contactless: 'contactless', Swipe: 'swipe', Manual: 'manual' } as EntryModes,
  total: 'Total',
  authCode: 'Auth code',
  invoice: 'Invoice',
  order: 'Order',
  approved: 'APPROVED',
  partlyApproved: 'PARTLY APPROVED',
  declined: 'DECLINED',
  processing: 'PROCESSING',
  cardOnFile: 'CARD ON FILE',
  kinds: {
    Sale: 'SALE',
    Auth: 'AUTHORIZATION',
    Capture: 'CAPTURE',
    Refund: 'REFUND',
    Void: 'VOID',
    UnreferencedRefund: 'REFUND',
    Reversal: 'REVERSAL',
  },
  parts: { amountGoodsAndServices: 'Goods and services', tax: 'Tax', tip: 'Tip', cashback: 'Cashback' },
};

const french: Words = {
  terminal: 'Terminal',
  entryMode: 'Lecture',
  entryModes: { Chip: 'puce', Contactless: 'sans contact', Swipe: 'bande magnétique', Manual: 'manuelle' },
  total: 'Total',
  authCode: 'Autorisation',
  invoice: 'Facture',
  order: 'Commande',
  approved: 'APPROUVÉE',
  partlyApproved: 'PARTIELLEMENT APPROUVÉE',
  declined: 'REFUSÉE',
  processing: 'EN COURS',
  cardOnFile: 'CARTE AU DOSSIER',
  kinds: {
    Sale: 'ACHAT',
    Auth: 'AUTORISATION',
    Capture: 'SAISIE',
    Refund: 'REMBOURSEMENT',
    Void: 'ANNULATION',
    UnreferencedRefund: 'REMBOURSEMENT',
    Reversal: 'ANNULATION',
  },
  parts: {
    amountGoodsAndServices: 'Biens et services',
    tax: 'Taxes',
    tip: 'Pourboire',
    cashback: 'Remise en argent',
  },
};
