/** Moves the focus inside this page only: in an iframe it must not leave the page around it. */
export function focusIfActive(element: HTMLElement | null): void {
  if (document.hasFocus()) element?.focus();
}
