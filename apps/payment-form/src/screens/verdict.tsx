import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { focusIfActive } from '../page/focus.js';

interface VerdictProps {
  readonly tone: 'good' | 'bad' | 'neutral';
  readonly icon: VNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** One message instead of the form. Its heading gets the focus, so that a screen reader begins there. */
export function Verdict({ tone, icon, title, text, children }: VerdictProps): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusIfActive(heading.current), [title]);
  return (
    <section class={`verdict ${tone}`}>
      <span class="seal">{icon}</span>
      <h1 tabIndex={-1} ref={heading}>
        {title}
      </h1>
      <p>{text}</p>
      {children}
    </section>
  );
}
