/* The page of the simulated bank. All texts are in the page, in the cardholder's language. */

const CODE_LENGTH_MAX = 20;
/** Longer than the payment behind it takes, its unknown outcome included. */
const ANSWERED_WITHIN_MS = 45_000;
/** Any code but the right one fails the challenge. */
const CANCELLED = 'cancelled';

const form = document.getElementById('answer');
const input = document.getElementById('code');
const error = document.getElementById('code-error');
const progress = document.getElementById('progress');
const back = document.getElementById('return');
const isFramedByForm = isFramedByThisOrigin();

/** The form's page, which finishes the attempt itself, is of this origin. A merchant's page is not. */
function isFramedByThisOrigin() {
  if (window.parent === window) return false;
  try {
    return window.parent.location.origin === window.location.origin;
  } catch {
    return false;
  }
}

function tellForm() {
  window.parent.postMessage({ source: 'three-ds', type: 'done' }, window.location.origin);
}

function show(view, redirectUrl) {
  document.body.dataset.view = view;
  const isWebAddress = /^https?:/.test(redirectUrl ?? '');
  back.hidden = !isWebAddress;
  if (isWebAddress) back.href = redirectUrl;
  document.querySelector(`#${view} h1`)?.focus();
}

function complain(text) {
  error.textContent = text;
  input.setAttribute('aria-invalid', 'true');
  input.focus();
}

function setBusy(isBusy) {
  form.setAttribute('aria-busy', String(isBusy));
  progress.textContent = isBusy ? form.dataset.checking : '';
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', String(isBusy));
}

/** The view for the state of the form after the attempt. */
function viewOf({ status, resultCode, responseCode }) {
  if (status === 'Completed' && resultCode === 0) return (responseCode ?? 1) <= 2 ? 'Approved' : 'Declined';
  if (resultCode >= 6800 && resultCode <= 6802) return 'Refused';
  if (resultCode >= 6900 && resultCode <= 6902) return 'Declined';
  return status === 'Pending' || status === 'Processing' || status === 'Interrupted' ? 'Unknown' : 'Over';
}

/** Undefined: nothing is known, and the same answer can be sent again, because only the first one counts. */
function viewOfError(status, body) {
  if (status === 404 || status === 400) return 'Over';
  if (status === 409 || body.status === 'Interrupted') return 'Unknown';
  return undefined;
}

async function send(code) {
  const response = await fetch(window.location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(isFramedByForm ? { code, complete: false } : { code }),
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  return { status: response.status, body: await response.json() };
}

async function answer(code) {
  if (form.getAttribute('aria-busy') === 'true') return;
  error.textContent = '';
  input.removeAttribute('aria-invalid');
  setBusy(true);
  try {
    const { status, body } = await send(code);
    if (status !== 200) {
      const view = viewOfError(status, body);
      return view ? show(view) : complain(form.dataset.notAnswered);
    }
    if (!isFramedByForm) return show(viewOf(body), body.redirectUrl);
    show('Done');
    tellForm();
  } catch {
    complain(form.dataset.notAnswered);
  } finally {
    setBusy(false);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const code = input.value.trim();
  if (code === '') complain(form.dataset.codeMissing);
  else if (code.length > CODE_LENGTH_MAX) complain(form.dataset.codeLong);
  else answer(code);
});
document.getElementById('cancel').addEventListener('click', () => answer(CANCELLED));

if (document.body.dataset.view === 'Open') input.focus({ preventScroll: true });
else if (isFramedByForm) tellForm();
