// Never seen: ./+data.ts sends everybody on.
export function Page() {
  return null;
}
