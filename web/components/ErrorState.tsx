// What a page or a part of one says when it failed: what happened, what to do, and the request id for support.
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

export interface ErrorStateProps {
  title: ReactNode;
  children?: ReactNode;
  /** Shown with its label, ready to copy. */
  requestId?: string;
  requestIdLabel?: string;
  action?: ReactNode;
}

export function ErrorState({ title, children, requestId, requestIdLabel, action }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-16 text-center">
      <CircleAlert aria-hidden className="mb-4 size-6 text-bad" />
      <p className="font-medium text-lg">{title}</p>
      {children && <div className="mt-1 max-w-md text-muted">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
      {requestId && (
        <p className="mt-6 text-faint text-xs">
          {requestIdLabel} <code className="select-all font-mono">{requestId}</code>
        </p>
      )}
    </div>
  );
}
