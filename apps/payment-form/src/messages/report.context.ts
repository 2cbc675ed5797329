import { createContext } from 'preact';

/** Posts an error in which the form goes on, by its code from 6000 to 6999, to the page that embeds the form. */
export type Report = (code: number) => void;

export const ReportContext = createContext<Report>(() => undefined);
