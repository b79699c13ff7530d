// An empty list: what it is for, and the one next action.
import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-20 text-center">
      <div
        aria-hidden
        className="mb-4 grid size-11 place-items-center rounded-md border border-line bg-raised text-muted [&_svg]:size-5"
      >
        {icon}
      </div>
      <h2 className="font-medium text-lg">{title}</h2>
      {children && <p className="mt-1 max-w-sm text-muted">{children}</p>}
      {action && <div className="mt-5 max-w-full">{action}</div>}
    </div>
  );
}
