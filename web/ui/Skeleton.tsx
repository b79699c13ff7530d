// A grey placeholder in the shape of the content that loads. Hidden from screen readers: announce next to it what loads.

export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />;
}
