// Owns the style sheet of the API's page, light and dark.

export const style = `
:root { color-scheme: light dark; --line: light-dark(#e4e4e7, #3f3f46); --quiet: light-dark(#52525b, #a1a1aa);
  --ground: light-dark(#ffffff, #18181b); --soft: light-dark(#f4f4f5, #27272a); --ink: light-dark(#18181b, #fafafa);
  --link: light-dark(#1d4ed8, #93c5fd); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 16px; top: 16px; background: var(--ground); }
nav { padding: 24px; border-bottom: 1px solid var(--line); font-size: 14px; }
nav h2 { margin: 20px 0 4px; font-size: 13px; color: var(--quiet); font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; } nav a { display: block; padding: 3px 0; text-decoration: none; }
nav a:hover { text-decoration: underline; } .brand { margin: 0; font-weight: 600; font-size: 16px; }
main { padding: 24px; max-width: 900px; }
h1 { font-size: 28px; line-height: 1.2; } h1 small { color: var(--quiet); font-weight: 400; font-size: 16px; }
main h2 { margin: 48px 0 0; font-size: 22px; } h3 { margin: 0; font-size: 18px; } h4 { margin: 20px 0 4px; font-size: 14px; color: var(--quiet); }
article { padding: 28px 0; border-bottom: 1px solid var(--line); scroll-margin-top: 8px; }
code { font: 14px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 8px 0; padding: 14px; background: var(--soft); border-radius: 8px; overflow: auto; max-height: 420px; }
pre code { overflow-wrap: normal; } .call { margin: 6px 0 12px; } .type { margin: 8px 0; font-size: 14px; }
.method, .status { font: 600 13px/1 ui-monospace, monospace; padding: 3px 7px; border: 1px solid var(--line); border-radius: 6px; }
.open { color: var(--quiet); font-size: 13px; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 14px; margin: 8px 0; }
th, td { text-align: left; vertical-align: top; padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); }
td:first-child code { white-space: nowrap; } th { color: var(--quiet); font-weight: 600; } em { color: var(--quiet); font-size: 13px; } details { margin-top: 12px; font-size: 14px; }
@media (min-width: 960px) {
  body { display: grid; grid-template-columns: 300px 1fr; }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  main { padding: 32px 48px; }
}
`;
