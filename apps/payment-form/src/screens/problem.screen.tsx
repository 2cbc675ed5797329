import type { VNode } from 'preact';
import { useSpeech } from '../language/language.context.js';
import { AlertIcon } from './icons.js';
import { Verdict } from './verdict.js';

export function LoadingScreen(): VNode {
  const { texts } = useSpeech();
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      <h1>{texts.loading}</h1>
    </div>
  );
}

interface ProblemScreenProps {
  readonly problem: 'unreachable' | 'failed' | 'notFound';
  readonly onRetry?: () => void;
}

export function ProblemScreen({ problem, onRetry }: ProblemScreenProps): VNode {
  const { texts } = useSpeech();
  return (
    <Verdict
      tone="neutral"
      icon={<AlertIcon />}
      title={texts.problem[problem]}
      text={texts.problem[`${problem}Text`]}
    >
      {onRetry && (
        <button type="button" class="primary" onClick={onRetry}>
          {texts.problem.retry}
        </button>
      )}
    </Verdict>
  );
}
