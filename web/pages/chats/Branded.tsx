// A column in an agent's colour: sets the design system's tokens before its content is painted.
import type { CSSProperties, ReactNode } from "react";
import { brandStyle } from "../../client/brand-colors.ts";

export interface BrandedProps {
  /** As #rrggbb; empty for our own colour. */
  color: string;
  children: ReactNode;
}

export function Branded({ color, children }: BrandedProps) {
  return (
    <div
      data-brand={color || undefined}
      style={brandStyle(color) as CSSProperties}
      className="flex min-h-0 flex-1 flex-col"
    >
      {children}
    </div>
  );
}
