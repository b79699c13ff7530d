// A grey stand-in with the shape of what is being loaded. Hidden from screen readers: say what loads beside it.

export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />;
}
