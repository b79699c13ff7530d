// The duration of a reply, formatted for a language: "0.8 sec", and "65 sec" for more than a minute.

/** The smallest difference that is written, in milliseconds. */
export const REPLY_TICK_MS = 100;

/** @returns a function of milliseconds */
export function replyTime(language: string): (ms: number) => string {
  const format = (digits: number) =>
    new Intl.NumberFormat(language, {
      style: "unit",
      unit: "second",
      unitDisplay: "short",
      maximumFractionDigits: digits,
    });
  const [short, long] = [format(1), format(0)];
  return (ms) => (ms < 9950 ? short : long).format(ms / 1000);
}
