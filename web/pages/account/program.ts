// What a User-Agent header says in a word or two, so that a person knows their own devices in a list. A guess, for reading.

export interface Program {
  /** Name of the browser or program; empty where nothing is known. */
  browser: string;
  system: string;
  mobile: boolean;
}

// The first that fits counts: most browsers claim to be several others too.
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/Chrome\/|\bCriOS\/|\bChromium\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

const named = (list: [RegExp, string][], agent: string) =>
  list.find(([pattern]) => pattern.test(agent))?.[1] ?? "";

export function programOf(userAgent: string): Program {
  const system = named(SYSTEMS, userAgent);
  return {
    // A program that is no browser begins with its own name: curl/8.5.0, or says nothing else.
    browser: named(BROWSERS, userAgent) || (/^([\w .-]{2,40})(\/|$)/.exec(userAgent)?.[1] ?? ""),
    system,
    mobile: /Mobile|iPhone|Android/.test(userAgent),
  };
}
