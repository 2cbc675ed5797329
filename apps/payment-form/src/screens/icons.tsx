import type { ComponentChildren, VNode } from 'preact';

function Icon({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const LockIcon = (): VNode => (
  <Icon name="lock">
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </Icon>
);

export const ClockIcon = (): VNode => (
  <Icon name="clock">
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
);

export const CheckIcon = (): VNode => (
  <Icon name="check">
    <path d="M6 12.5l4 4 8-9" />
  </Icon>
);

export const CrossIcon = (): VNode => (
  <Icon name="cross">
    <path d="M7 7l10 10M17 7L7 17" />
  </Icon>
);

export const AlertIcon = (): VNode => (
  <Icon name="alert">
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5v5.5M12 16.4v.1" />
  </Icon>
);

export const ShieldIcon = (): VNode => (
  <Icon name="shield">
    <path d="M12 3.5l7 2.5v5.5c0 4.2-2.8 7.4-7 9-4.2-1.6-7-4.8-7-9V6z" />
    <path d="M8.8 12l2.3 2.3 4.2-4.6" />
  </Icon>
);

export const BankIcon = (): VNode => (
  <Icon name="bank">
    <path d="M4 10h16L12 4.5zM6 10v8M10 10v8M14 10v8M18 10v8M4 19h16" />
  </Icon>
);
