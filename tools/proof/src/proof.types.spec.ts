import { findingsOf, type Findings } from './proof.types.js';

const OPTIONS = { quick: true, say: () => undefined };

const complaintsOf = async (run: () => Promise<Findings>): Promise<readonly string[]> => {
  const proof = { name: 'some', claim: 'something holds', least: { kills: 2 }, run };
  return (await findingsOf(proof, OPTIONS)).complaints;
};

describe('The findings of a proof', () => {
  it('are those of its run, if that tested the claim', async () => {
    const findings = { figures: { kills: 2 }, complaints: ['a payment is lost'] };
    expect(await complaintsOf(() => Promise.resolve(findings))).toEqual(['a payment is lost']);
  });

  it.each([{ kills: 1 }, {}])('complain about a figure below its least: %j', async (figures) => {
    const [complaint] = await complaintsOf(() => Promise.resolve({ figures, complaints: [] }));
    expect(complaint).toMatch(/^the claim was not tested: kills .* at least 2 needed$/);
  });

  it('complain about an error of the proof itself', async () => {
    const [complaint] = await complaintsOf(() => Promise.reject(new Error('no such file')));
    expect(complaint).toMatch(/^the proof itself failed: Error: no such file/);
  });
});
