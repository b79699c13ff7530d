// Short points side by side, each with an icon. No boxes.
import { ArrowRight, type LucideIcon } from "lucide-react";

export interface Point {
  icon: LucideIcon;
  title: string;
  text: string;
  link?: { href: string; label: string };
}

export function Points({ points }: { points: Point[] }) {
  return (
    <ul className="grid grid-cols-1 gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
      {points.map(({ icon: Icon, title, text, link }) => (
        <li key={title}>
          <span
            aria-hidden
            className="mb-3 grid size-9 place-items-center rounded-md border border-line bg-raised text-accent-ink"
          >
            <Icon className="size-4" />
          </span>
          <h3 className="font-medium text-lg">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
          {link && (
            <a
              href={link.href}
              className="mt-2 inline-flex items-center gap-1 font-medium text-accent-ink hover:underline"
            >
              {link.label}
              <ArrowRight aria-hidden className="size-3.5" />
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
