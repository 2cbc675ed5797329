/* The page's only styles. It loads nothing, in either colour scheme and in print. */

export const STYLES = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f6f8; --text: #1b1f27; --quiet: #555d6b; --line: #d5d9e0;
  --gross: #2f6db5; --refunds: #b4530a; --refunds-ground: #fbe3cf; --fees: #7a5ea8; --debits: #a3273f; --net: #12161d;
  --bad: #9b1c31; --bad-ground: #fdecee; --good: #1d6b3a; --weekend: #f3f4f7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --panel: #1d2128; --text: #e8eaee; --quiet: #aab1bd; --line: #3a404b;
    --gross: #6ea5e6; --refunds: #f0a05c; --refunds-ground: #4a3018; --fees: #b49be0; --debits: #f08598; --net: #ffffff;
    --bad: #ff9dab; --bad-ground: #3d1820; --good: #7fd6a0; --weekend: #1b1f25;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 3rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; margin: 1.5rem 0 0; }
.facts > div { background: var(--panel); border-radius: .5rem; padding: .7rem .9rem; }
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts dd { margin: 0; font-size: 1.2rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.facts .main { background: var(--text); color: var(--ground); }
.facts .main dt { color: inherit; }
.problems { background: var(--bad-ground); border-left: .3rem solid var(--bad); padding: .75rem 1rem; margin-top: 1.5rem; }
.problems h2 { margin: 0; color: var(--bad); }
.problems ul { margin: .5rem 0 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
figure { margin: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0 0 .5rem; padding: 0; font-size: .875rem; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.legend svg { width: .9rem; height: .9rem; flex: none; }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 3px solid var(--gross); outline-offset: 2px; }
.chart { display: block; width: 100%; min-width: 45rem; height: auto; }
.chart text { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.chart .tick { text-anchor: end; }
.chart .day { text-anchor: middle; }
.grid { stroke: var(--line); stroke-width: 1; }
.axis { stroke: var(--text); stroke-width: 1.5; }
.weekend { fill: var(--weekend); }
.gross { fill: var(--gross); }
.credits { fill: var(--good); }
.fees { fill: var(--fees); }
.debits { fill: var(--debits); }
.refunds { fill: url(#hatch); stroke: var(--refunds); stroke-width: 1; }
.refunds-ground { fill: var(--refunds-ground); }
.refunds-line { stroke: var(--refunds); stroke-width: 3; }
.net { fill: var(--net); stroke: var(--ground); stroke-width: 1.5; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .4rem; }
th, td { padding: .4rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: baseline; }
thead th { border-bottom: 2px solid var(--text); white-space: nowrap; }
tfoot th, tfoot td { border-top: 2px solid var(--text); border-bottom: 0; font-weight: 700; }
tbody th { font-weight: 400; }
th:first-child { position: sticky; left: 0; background: var(--ground); white-space: nowrap; }
.whole { white-space: nowrap; }
.none { color: var(--quiet); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8rem; }
.negative { color: var(--bad); font-weight: 600; }
.flag { display: inline-block; border: 1px solid currentColor; border-radius: .25rem; padding: 0 .3rem; font-size: .75rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2.5rem; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; }
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --panel: #f5f6f8; --text: #000000; --quiet: #444444; --line: #bbbbbb;
    --gross: #2f6db5; --refunds: #b4530a; --refunds-ground: #fbe3cf; --fees: #7a5ea8; --debits: #a3273f; --net: #12161d;
    --bad: #9b1c31; --bad-ground: #fdecee; --good: #1d6b3a; --weekend: #f3f4f7;
  }
  @page { size: A4 landscape; margin: 12mm; }
  body { max-width: none; padding: 0; font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1 { font-size: 17pt; }
  h2 { margin-top: 1.25rem; break-after: avoid; }
  .facts dd { font-size: 11pt; }
  .facts { grid-auto-flow: column; grid-template-columns: none; grid-auto-columns: 1fr; gap: .4rem; }
  .facts > div { padding: .4rem .6rem; }
  .legend { font-size: 8.5pt; }
  footer { font-size: 8pt; }
  .scroll { overflow: visible; }
  .chart { min-width: 0; max-height: 95mm; }
  table { font-size: 8pt; }
  th, td { padding: .2rem .35rem; }
  .id { font-size: 7pt; }
  th:first-child { position: static; }
  figure, tr, .problems, .facts { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
}
`;
