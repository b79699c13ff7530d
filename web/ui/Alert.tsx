// A persistent message in the page: what happened and what to do.
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

type Tone = "info" | "good" | "careful" | "bad";

const looks = {
  info: { box: "bg-accent-soft text-accent-ink", icon: Info },
  good: { box: "bg-good-soft text-good", icon: CircleCheck },
  careful: { box: "bg-careful-soft text-careful", icon: TriangleAlert },
  bad: { box: "bg-bad-soft text-bad", icon: CircleAlert },
};

export interface AlertProps {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
}

export function Alert({ tone = "info", title, children }: AlertProps) {
  const { box, icon: Icon } = looks[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={`flex gap-2.5 rounded-md px-3 py-2.5 text-sm ${box}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 space-y-0.5">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-ink">{children}</div>}
      </div>
    </div>
  );
}
