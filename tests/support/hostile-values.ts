// Owns hostile values by class, for every column, field and form. Does not say what should happen to them. As JSON text, so that numbers
// beyond doubles and lone surrogates arrive unchanged.

const texts = (...values: string[]) => values.map((value) => JSON.stringify(value));

/** URLs inside the installation or its cloud, in forms that filters miss. All http or https. */
const insideAddresses = [
  "http://169.254.169.254/latest/meta-data/",
  "http://localhost:54321/rest/v1/agents",
  "https://127.0.0.1",
  "http://2130706433/",
  "http://0177.0.0.1/",
  "http://0x7f.1/",
  "http://[::1]:54321/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:7f00:1]/",
  "https://127.0.0.1.nip.io",
  "https://metadata.google.internal",
  "http://0.0.0.0:54322/",
];

export const markup = [
  "<script>globalThis.hostile=1</script>",
  '"><img src=x onerror="globalThis.hostile=1">',
  "</title><svg onload=globalThis.hostile=1>",
  "<!--><b>bold</b>",
  "&lt;script&gt;",
];

/** What a spreadsheet reads as a formula, without the two that start with a control character. */
export const formulas = ["=1+1", "+1+1", "-1+1", "@SUM(1,1)", '=HYPERLINK("https://evil.test","open")'];

const depth = 10_000;

/** By class. Overlong texts and deeply nested JSON are built once. */
export const hostileValues = {
  traversal: texts(
    "../../../../etc/passwd",
    "..%2f..%2f..%2frest%2fv1%2fagents",
    "%2e%2e/%2e%2e/",
    "..%252f..%252f",
    "..\\..\\windows",
    "%c0%ae%c0%ae/",
    "....//....//",
    "/etc/passwd",
    "teams/../../x",
    "\uff0e\uff0e\uff0fx",
  ),
  wrongType: ["true", "12.5", "{}", '["x"]', '{"x":[null]}'],
  nothing: ["null", '""', '"   "'],
  wrongEnum: texts("root", "SLACK", "service_role", "owner'--"),
  control: texts("a\u0007b", "\u001b[31mred", "a\u0085b", "a\u007fb", "first\nsecond", "a\tb", "a\u2028b"),
  bidi: texts("invoice\u202efdp.exe", "\u2066hidden\u2069", "a\u202ab"),
  invisible: texts("a\u200bb", "\ufeffa", "a\u2060b", "a\u00adb", "a\u{e0041}b", "\u3164", "\u200d"),
  nul: ['"a\\u0000b"'],
  halfCharacter: ['"a\\ud800b"', '"\\udc00"'],
  long: [JSON.stringify("x".repeat(1_000_000))],
  deep: [`${"[".repeat(depth)}${"]".repeat(depth)}`, `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`],
  number: [
    '"NaN"',
    '"Infinity"',
    '"-Infinity"',
    "1e309",
    "-1e309",
    "9223372036854775808",
    "-9223372036854775809",
    "-1",
  ],
  zero: ["-0", "0"],
  time: texts("9999-12-31T23:59:59Z", "-infinity", "0001-01-01T00:00:00Z", "294277-01-01"),
  inside: texts(...insideAddresses),
  scheme: texts(
    "javascript:alert(1)",
    "data:text/html,<b>x</b>",
    "file:///etc/passwd",
    "https:evil",
    "//evil.test",
  ),
  markup: texts(...markup),
  formula: texts(...formulas),
  formulaBehindControl: texts("\t=1+1", "\r=1+1"),
  header: texts("a\r\nBcc: everybody@evil.test", "a\nSet-Cookie: x=1", "a@evil.test\r\nX: y"),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: other programs' templates
  template: texts("{{7*7}}", "${7*7}", "<%= 7*7 %>", "#{7*7}", "{{constructor.constructor('return 1')()}}"),
  sql: texts("'; drop table public.users; --", "\\'; select 1; --", "$$; select 1; $$"),
  inherited: texts("__proto__", "constructor", "hasOwnProperty"),
  prototype: ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{}}}'],
} as const satisfies Record<string, readonly string[]>;

export type HostileClass = keyof typeof hostileValues;
export const hostileClasses = Object.keys(hostileValues) as HostileClass[];

/** Every value with its class. */
export const allHostile: { kind: HostileClass; json: string }[] = hostileClasses.flatMap((kind) =>
  hostileValues[kind].map((json) => ({ kind, json })),
);

/** For a failed test's report: shortens a value to sixty characters. */
export const shorten = (json: string): string => (json.length > 60 ? `${json.slice(0, 60)}…` : json);
