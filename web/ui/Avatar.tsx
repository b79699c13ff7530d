// The initials of a name on a subtle background. Decorative: the name is always next to it.

export interface AvatarProps {
  name: string;
  /** Square for teams and agents, round for people. */
  shape?: "round" | "square";
  size?: "sm" | "md";
}

export function Avatar({ name, shape = "round", size = "md" }: AvatarProps) {
  const words = name.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
  const box = size === "sm" ? "size-5 text-[0.625rem]" : "size-8 text-xs";
  return (
    <span
      aria-hidden
      className={`inline-grid shrink-0 place-items-center bg-accent-soft font-medium text-accent-ink ${box} ${shape === "round" ? "rounded-full" : "rounded-sm"}`}
    >
      {initials}
    </span>
  );
}
