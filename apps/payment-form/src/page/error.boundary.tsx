import { Component, type ComponentChildren, type VNode } from 'preact';
import { ProblemScreen } from '../screens/problem.screen.js';

interface ErrorBoundaryProps {
  /** Called once. */
  readonly onError: () => void;
  readonly children: ComponentChildren;
}

/** An error of this page itself: the customer loads it again, and sees how far the payment is. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onError();
  }

  override render(): VNode {
    if (!this.state.failed) return <>{this.props.children}</>;
    return <ProblemScreen problem="failed" onRetry={() => location.reload()} />;
  }
}
