import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import type { Texts } from '../language/texts.js';
import { returnAddress } from '../page/use-redirect.js';
import type { Ending } from '../session/form.end.js';
import { CheckIcon, ClockIcon, CrossIcon } from './icons.js';
import { Verdict } from './verdict.js';

interface ResultScreenProps {
  readonly session: FormSession;
  readonly ending: Ending;
}

export function ResultScreen({ session, ending }: ResultScreenProps): VNode {
  const { texts } = useSpeech();
  const { title, text } = resultTexts(texts, session, ending);
  return (
    <Verdict tone={TONES[ending]} icon={iconOf(ending)} title={title} text={text}>
      <dl class="reference">
        <dt>{texts.ending.reference}</dt>
        <dd>{session.referenceId}</dd>
      </dl>
      <WayOut session={session} ending={ending} />
    </Verdict>
  );
}

const TONES: Readonly<Record<Ending, 'good' | 'bad' | 'neutral'>> = {
  approved: 'good',
  partlyApproved: 'good',
  processing: 'neutral',
  declined: 'bad',
  notProcessed: 'bad',
  cancelled: 'neutral',
  expired: 'neutral',
  unknown: 'neutral',
};

function iconOf(ending: Ending): VNode {
  switch (TONES[ending]) {
    case 'good':
      return <CheckIcon />;
    case 'bad':
      return <CrossIcon />;
    case 'neutral':
      return ending === 'cancelled' ? <CrossIcon /> : <ClockIcon />;
  }
}

interface ResultTexts {
  readonly title: string;
  readonly text: string;
}

function resultTexts({ ending: texts, nothing }: Texts, session: FormSession, ending: Ending): ResultTexts {
  const { merchantName, type } = session;
  if (ending === 'approved') {
    return { title: texts.approved[type], text: texts.approvedText[type](merchantName) };
  }
  const text = texts[`${ending}Text`];
  const title = texts[ending];
  return {
    title: typeof title === 'string' ? title : title[type],
    text: typeof text === 'string' ? text : text(merchantName, nothing[type]),
  };
}

function WayOut({ session, ending }: ResultScreenProps): VNode {
  const { texts } = useSpeech();
  const address = returnAddress(session);
  const leaves = address !== undefined;
  if (ending !== 'unknown') {
    return (
      <p class="way-out">{leaves ? texts.ending.returning(session.merchantName) : texts.ending.close}</p>
    );
  }
  return (
    <>
      <p class="waiting">
        <span class="spinner" aria-hidden="true" />
        <span>{texts.ending.checking}</span>
      </p>
      {leaves && (
        <a class="way-out" href={address}>
          {texts.ending.goBack(session.merchantName)}
        </a>
      )}
    </>
  );
}
