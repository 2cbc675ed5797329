import type { Channel, OutcomeSource, Progress } from '@tillstream/domain';
import type { DefiniteAnswer, Inquiry, InquiryAnswer, Processor } from '@tillstream/processors';
import type { ResolveParts, Worked } from './case.js';

/* How a try without an outcome is asked about, whether money is in it or not (payment protocol 4). */

/** A terminal whose answer was lost is asked for its last transaction; what it does not know, the processor may. */
export async function askWhatBecame(
  processor: Processor,
  progress: Progress,
  terminalId: string | undefined,
  inquiry: Inquiry,
): Promise<{ readonly answer: InquiryAnswer; readonly source: OutcomeSource }> {
  if (progress.status === 'Interrupted' && progress.lostLink && terminalId !== undefined) {
    const answer = await processor.lastTransaction(terminalId, inquiry);
    if (answer.kind !== 'NotFound') return { answer, source: 'LastTransaction' };
  }
  return { answer: await processor.inquire(inquiry), source: 'Inquiry' };
}

/** What was never received is stopped for good, and only then closed; without annul its whole window is waited for. */
export async function stopForGood(
  { processor, clock }: Pick<ResolveParts, 'processor' | 'clock'>,
  { channel, answerBefore }: { readonly channel: Channel; readonly answerBefore: string | undefined },
  inquiry: Inquiry,
  close: (source: OutcomeSource) => Promise<Worked>,
  record: (answer: DefiniteAnswer) => Promise<Worked>,
): Promise<Worked> {
  const { annul, inFlightWindowMs } = processor.capabilities(channel);
  if (!annul) {
    const windowOver = Date.parse(answerBefore ?? '') + inFlightWindowMs;
    return clock.realNow() > windowOver ? close('Inquiry') : 'Again';
  }
  const answer = await processor.annul(inquiry);
  switch (answer.kind) {
    case 'Annulled':
      return close('Annul');
    case 'AlreadyExecuted':
      return record(answer.answer);
    case 'NoAnswer':
      return 'Again';
  }
}
