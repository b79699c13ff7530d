// The parsers with words whose type carries meaning: raised, lowered and struck words, formulas, and the numbers of lists.
import { describe, expect, it } from "vitest";
import { parseFile } from "../../edge-functions/indexing/parsers/registry.ts";

const textOf = async (name: string, source: string) =>
  (await parseFile({ name, bytes: new TextEncoder().encode(source) })).text;
const page = (body: string) => textOf("a.html", `<!doctype html><body>${body}`);

describe("raised and lowered words", () => {
  it("never run into the number before them", async () => {
    expect(
      await page("<p>10<sup>6</sup> units, 10<sup>-3</sup> g, 50<sup>1</sup> euros, 5<sup>2,3</sup>"),
    ).toBe("10⁶ units, 10⁻³ g, 50¹ euros, 5^2,3");
    expect(
      await page("<p>50 m<sup>2</sup>, H<sub>2</sub>O, 101<sub>2</sub>, 3<sup>rd</sup>, 1<sup>er</sup>"),
    ).toBe("50 m², H2O, 101_2, 3rd, 1er");
    expect(
      await textOf("a.md", "It has 10<sup>6</sup> rows of 2 m<sup>2</sup>, once <del>100</del> 80."),
    ).toBe("It has 10⁶ rows of 2 m², once ~~100~~ 80.");
  });

  it("stay readable as the numbers of notes", async () => {
    expect(
      await page('<p>40 days<a href="#n1" role="doc-noteref">1</a> and<sup><a href="#n2">[2]</a></sup> on'),
    ).toBe("40 days[1] and[2] on");
  });

  it("lose nothing where a block begins inside a mark, or a mark ends with its cell", async () => {
    expect(await page("<p>one <s>two <p>three</s> four <sup>5</sup>")).toBe("one two\n\nthree\n\nfour ⁵");
    expect(
      await page("<table><tr><td>A <s>x</s><td>B<tr><td>1 <a href='/x'>link <sup>2</sup></a><td>2</table>"),
    ).toBe("| A ~~x~~ | B |\n| --- | --- |\n| 1 link ² | 2 |");
  });
});

describe("struck words", () => {
  it("are marked, since a struck price is not the price", async () => {
    expect(await page("<p>Now <del> 100 € </del><ins>80 €</ins>, <s>gone</s>, <strike></strike>.")).toBe(
      "Now ~~100 €~~ 80 €, ~~gone~~, .",
    );
  });
});

describe("formulas", () => {
  const math = (inner: string) => page(`<p>Let <math>${inner}</math> hold.`);
  it("are read on one line", async () => {
    expect(await math("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>")).toBe(
      "Let (a+b)/2 hold.",
    );
    expect(
      await math(
        "<msqrt><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub></msqrt>",
      ),
    ).toBe("Let √(x^2+y_i) hold.");
    expect(
      await math("<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"),
    ).toBe("Let ∑_(k=1)^n hold.");
    expect(
      await math(
        "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr></mtable>",
      ),
    ).toBe("Let 1, 0; 2 hold.");
  });

  it("are read once, without their second form for programs", async () => {
    expect(
      await math(
        "<semantics><mrow><mi>x</mi><mo>=</mo><mn>5</mn></mrow><annotation>x = 5</annotation></semantics>",
      ),
    ).toBe("Let x=5 hold.");
  });
});

describe("lists", () => {
  it("count as their page does", async () => {
    expect(await page("<ol start=5><li>five<li value=9>nine<li>ten</ol>")).toBe("5. five\n9. nine\n10. ten");
    expect(await page("<ol type=a><li>x<li>y</ol>")).toBe("a. x\nb. y");
    expect(await page("<ol type=I start=3><li>x<li>y</ol>")).toBe("III. x\nIV. y");
  });
});
