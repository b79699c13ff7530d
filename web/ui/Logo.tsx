// The product's mark and name.

/** `isSmall`: for places that only credit the product; on a narrow screen only the mark is shown. */
export function Logo({ isSmall }: { isSmall?: boolean }) {
  return (
    <span
      className={`flex items-center font-semibold tracking-tight ${isSmall ? "gap-1.5 text-muted text-xs" : "gap-2 text-lg"}`}
    >
      <svg aria-hidden viewBox="0 0 32 32" className={isSmall ? "size-4" : "size-6"}>
        <title>Parley</title>
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M9 10.5A2.5 2.5 0 0 1 11.5 8h9a2.5 2.5 0 0 1 2.5 2.5v7a2.5 2.5 0 0 1-2.5 2.5H15l-4.2 3.6c-.7.6-1.8.1-1.8-.8z"
          className="fill-white"
        />
      </svg>
      <span className={`whitespace-nowrap ${isSmall ? "max-sm:sr-only" : ""}`}>Parley</span>
    </span>
  );
}
