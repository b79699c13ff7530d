// Which rules of a stylesheet a visitor's page brings with it.
import { expect, test } from "vitest";
import { indexStyles } from "../../web/render/first-styles.ts";

const rulesFor = (css: string, html: string) => indexStyles(css)(html);

test("a rule is kept when one of its selectors can match the page", () => {
  const css = ".a{top:0}.b,.c{top:1px}p.a{top:2px}.a .d{top:3px}#x{top:4px}*{top:5px}body>.a{top:6px}";
  expect(rulesFor(css, '<div class="a c">')).toBe(
    ".a{top:0}.b,.c{top:1px}#x{top:4px}*{top:5px}body>.a{top:6px}",
  );
});

test("each page gets its own rules, again and again", () => {
  const rules = indexStyles(".a{top:0}.b{top:1px}p{top:2px}");
  for (const _ of [1, 2]) {
    expect(rules('<i class="a">')).toBe(".a{top:0}");
    expect(rules('<i class="b">')).toBe(".b{top:1px}");
    expect(rules('<p class="b">')).toBe(".b{top:1px}p{top:2px}");
  }
});

test("states, attributes and arguments of pseudo-classes never drop a rule", () => {
  const css =
    '.a:hover{top:0}.a[data-open="b)"] .a{top:1px}.a:is(.b *,p){top:2px}:where(.c>*){top:3px}.a::after{top:4px}';
  expect(rulesFor(css, '<div class="a">')).toBe(css);
});

test("escaped names are read as the page writes them", () => {
  const css = String.raw`.hover\:a:hover{top:0}.\32xl\:a{top:1px}.w-\[min\(1rem\,2rem\)\]{top:2px}.\[\&\>p\]\:a>p{top:3px}`;
  const html = '<p class="hover:a 2xl:a"><i class="w-[min(1rem,2rem)] [&amp;&gt;p]:a">';
  expect(rulesFor(css, html)).toBe(css);
  expect(rulesFor(css, '<p class="a">')).toBe("");
});

test("layers and conditions are kept around what is kept, in their order", () => {
  const css =
    "@layer properties{@supports (a:b){*{--x:0}}}@layer base,utilities;@layer base{a{top:0}}@layer utilities{.b{top:1px}@media (width>=1px){.a{top:2px}.b{top:3px}}.a{top:4px}}@media print{.b{top:5px}}";
  expect(rulesFor(css, '<a class="a">')).toBe(
    "@layer properties;@layer base,utilities;@layer base{a{top:0}}@layer utilities{@media (width>=1px){.a{top:2px}}.a{top:4px}}",
  );
});

test("custom properties are registered when a kept rule names them; font files are left to the stylesheet", () => {
  const css =
    '@property --x{syntax:"*"}@property --y{syntax:"*"}.a{top:var(--x)}.b{top:var(--y)}@font-face{src:url(a)}@font-face{src:local(b)}@keyframes k{to{top:0}}';
  expect(rulesFor(css, '<p class="a">')).toBe(
    '@property --x{syntax:"*"}.a{top:var(--x)}@font-face{src:local(b)}@keyframes k{to{top:0}}',
  );
});
