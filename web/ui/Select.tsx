// The native select; its children are options and groups.
import type { ComponentProps } from "react";
import { controlClass } from "./Input.tsx";

export interface Option {
  value: string;
  label: string;
}

export function Select({
  options,
  className = "",
  children,
  ...props
}: ComponentProps<"select"> & { options?: Option[] }) {
  return (
    <select {...props} className={`${controlClass} h-9 pr-8 ${className}`}>
      {children}
      {options?.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
