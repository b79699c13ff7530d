// A date in a list, short enough for its column on a phone.
import { DateTime } from "./DateTime.tsx";

/** @param value ISO 8601; null shows a dash */
export function DateCell({ value }: { value: string | null }) {
  return <span className="text-muted">{value ? <DateTime value={value} isShort /> : "–"}</span>;
}
