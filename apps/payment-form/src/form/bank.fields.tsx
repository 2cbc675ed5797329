import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { ROUTING_DIGITS } from '../bank/routing.number.js';
import { digitsUpTo } from '../card/typed.text.js';
import { useSpeech } from '../language/language.context.js';
import { ACCOUNT_DIGITS_MAX, INSTITUTION_DIGITS, TRANSIT_DIGITS } from './form.check.js';
import type { FieldName } from './form.values.js';
import { SelectField } from './select.field.js';
import { TextField } from './text.field.js';

interface BankFieldsProps {
  readonly type: Exclude<FormSession['paymentMethodType'], 'Virtual'>;
}

/** In the order in which the numbers stand on a cheque of the country. */
export function BankFields({ type }: BankFieldsProps): VNode {
  const { field: texts } = useSpeech().texts;
  return (
    <>
      {type === 'VirtualAch' ? (
        <NumberField
          field="routingNumber"
          label={texts.routing}
          digits={ROUTING_DIGITS}
          hint={texts.routingHint}
        />
      ) : (
        <div class="pair">
          <NumberField
            field="institutionNumber"
            label={texts.institution}
            digits={INSTITUTION_DIGITS}
            hint={texts.digitsHint(INSTITUTION_DIGITS)}
          />
          <NumberField
            field="transitNumber"
            label={texts.transit}
            digits={TRANSIT_DIGITS}
            hint={texts.digitsHint(TRANSIT_DIGITS)}
          />
        </div>
      )}
      <NumberField
        field="accountNumber"
        label={texts.account}
        digits={ACCOUNT_DIGITS_MAX[type]}
        hint={texts.accountHint[type]}
      />
      {type === 'VirtualAch' && <AccountTypeField />}
      <TextField field="name" label={texts.name} autocomplete="name" maxLength={100} />
    </>
  );
}

interface NumberFieldProps {
  readonly field: FieldName;
  readonly label: string;
  /** At most. */
  readonly digits: number;
  readonly hint: string;
}

/** A browser neither keeps nor fills in the numbers of an account. */
function NumberField({ digits, ...rest }: NumberFieldProps): VNode {
  return <TextField {...rest} autocomplete="off" inputMode="numeric" format={digitsUpTo(digits)} />;
}

function AccountTypeField(): VNode {
  const { field: texts } = useSpeech().texts;
  const choices = [
    { code: 'Checking', name: texts.checking },
    { code: 'Savings', name: texts.savings },
  ];
  return (
    <SelectField
      field="accountType"
      label={texts.accountType}
      autocomplete="off"
      choices={choices}
      emptyText={texts.choice}
    />
  );
}
