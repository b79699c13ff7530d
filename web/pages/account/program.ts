// A short description of a User-Agent header, so that users recognise their own devices in a list. A guess, for display only.

export interface Program {
  /** Name of the browser or program; empty when unknown. */
  browser: string;
  system: string;
  mobile: boolean;
}

// The first match wins: most browsers also claim to be several others.
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

const findName = (list: [RegExp, string][], agent: string) =>
  list.find(([pattern]) => pattern.test(agent))?.[1] ?? "";

export function programOf(userAgent: string): Program {
  const system = findName(SYSTEMS, userAgent);
  return {
    // A program other than a browser starts with its own name (curl/8.5.0), or sends nothing else.
    browser: findName(BROWSERS, userAgent) || (/^([\w .-]{2,40})(\/|$)/.exec(userAgent)?.[1] ?? ""),
    system,
    mobile: /Mobile|iPhone|Android/.test(userAgent),
  };
}
