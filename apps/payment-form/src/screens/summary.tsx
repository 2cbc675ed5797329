import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import { endingOf } from '../session/form.end.js';
import { amountText } from '../language/money.js';

export function Summary({ session }: { readonly session: FormSession }): VNode {
  const { texts, locale } = useSpeech();
  const { merchantName, type, amount, currency } = session;
  const isOpen = endingOf(session) === undefined;
  const explanation = texts.explanation[type];
  return (
    <div class="summary-text">
      <p class="merchant">
        <span class="monogram" aria-hidden="true">
          {[...merchantName][0]?.toUpperCase()}
        </span>
        <span class="merchant-name">{merchantName}</span>
      </p>
      {isOpen && <p class={amount === undefined ? 'intent alone' : 'intent'}>{texts.intent[type]}</p>}
      {!isOpen && amount !== undefined && <p class="intent">{texts.amount}</p>}
      {amount !== undefined && (
        <p class="amount">
          <span>{amountText(amount, currency, locale)}</span> <span class="currency">{currency}</span>
        </p>
      )}
      {isOpen && explanation !== '' && <p class="explanation">{explanation}</p>}
    </div>
  );
}
