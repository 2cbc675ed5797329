import type { FormSession } from '@tillstream/contracts';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { focusIfActive } from '../page/focus.js';
import { useSpeech } from '../language/language.context.js';
import type { Texts } from '../language/texts.js';
import { declineReason } from '../session/decline.reason.js';
import type { Notice } from '../session/payment.session.js';
import { AlertIcon } from './icons.js';

interface NoticeBannerProps {
  readonly notice: Notice;
  readonly session: FormSession;
}

/** Why the form is shown again. It gets the focus, so that it is read before the fields. */
export function NoticeBanner({ notice, session }: NoticeBannerProps): VNode {
  const { texts } = useSpeech();
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => focusIfActive(banner.current), [notice]);
  const { title, text, more } = noticeTexts(texts, notice, session);
  return (
    <div class="banner" role="alert" tabIndex={-1} ref={banner}>
      <AlertIcon />
      <div>
        <p class="banner-title">{title}</p>
        <p>
          {text} {more}
        </p>
      </div>
    </div>
  );
}

interface NoticeTexts {
  readonly title: string;
  readonly text: string;
  readonly more?: string;
}

function noticeTexts(texts: Texts, notice: Notice, session: FormSession): NoticeTexts {
  switch (notice.kind) {
    case 'declined':
      return {
        title: texts.notice.declined[session.type],
        text: texts.reason[declineReason(session)],
        more: texts.notice.triesLeft(session.triesLeft),
      };
    case 'invalid':
      return { title: texts.notice.refusedTitle, text: texts.notice.invalid };
    case 'refused':
      return { title: texts.notice.refusedTitle, text: texts.notice.refused(texts.nothing[session.type]) };
    case 'limited':
      return { title: texts.notice.limitedTitle, text: texts.notice.limited(notice.seconds) };
    case 'busy':
    case 'lost':
    case 'notCancelled':
      return { title: texts.notice[`${notice.kind}Title`], text: texts.notice[notice.kind] };
  }
}
